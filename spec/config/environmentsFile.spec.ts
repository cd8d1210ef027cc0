import { readEnvironments } from '../../src/config/environmentsFile';

const read = (text?: string) =>
  readEnvironments({
    codexHome: '/codex',
    readFile: (path) => (path === '/codex/environments.toml' ? text : undefined),
  });

describe('readEnvironments', () => {
  it('is as an empty file where there is none', () => {
    expect(read()).toEqual({ file: '/codex/environments.toml', tables: [], includesLocal: true, byDefault: undefined });
  });

  it('has the tables, the default, and whether threads may work on this machine', () => {
    const text = 'default = "a"\ninclude_local = false\n[[environments]]\nid = "a"\nurl = "ws://a"\n';
    expect(read(text)).toMatchObject({
      tables: [{ id: 'a', url: 'ws://a' }],
      includesLocal: false,
      byDefault: 'a',
    });
  });

  it('names the line that is missing before an environment', () => {
    expect(() => read('id = "a"\n')).toThrow('an environment begins with a line [[environments]]; put it before `id`');
  });
});
