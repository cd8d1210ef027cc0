import { readThreadStore } from '../../src/settings/readThreadStore';
import { depsOf, refusal } from './deps';

const read = (toml: string, overrides: string[] = []) => readThreadStore(depsOf({ toml, overrides }));

describe('readThreadStore', () => {
  it('is undefined if threads are files', () => {
    expect(read('')).toBeUndefined();
    expect(read('thread_store = "files"\n')).toBeUndefined();
  });

  it('is the address of config.toml, or that of a flag', () => {
    expect(read('thread_store = "nats://a,b:1/team"\n')).toBe('nats://a,b:1/team');
    expect(read('thread_store = "nats://a"\n', ['thread_store="tls://c"'])).toBe('tls://c');
  });

  it('is no matter of a profile, nor of a call', () => {
    expect(read('profile = "p"\nthread_store = "nats://a"\n[profiles.p]\nthread_store = "nats://b"\n')).toBe(
      'nats://a',
    );
    expect(refusal({}, { config: { thread_store: 'nats://b' } })).toMatch(/a call may not set thread_store/);
  });

  it.each(['a.b', 'a b', '>', '*', 'a/b', '../a', 'a%20b', 'a?b', 'a\\nb', 'x'.repeat(65)])(
    'refuses the name %j',
    (name) => {
      expect(() => read(`thread_store = "nats://h/${name}"\n`)).toThrow(
        /config\.toml:1: thread_store is .*, expected a NAME behind the server that has letters, digits, - and _, up to 64/,
      );
    },
  );

  it('takes an address without a name', () => {
    expect([read('thread_store = "nats://h"\n'), read('thread_store = "nats://h/"\n')]).toEqual([
      'nats://h',
      'nats://h/',
    ]);
  });

  it('refuses what is neither, with its place', () => {
    expect(() => read('thread_store = "redis://a"\n')).toThrow(
      '/home/config.toml:1: thread_store is "redis://a", expected "files" or nats://HOST[:PORT][,HOST[:PORT]...][/NAME]',
    );
  });
});
