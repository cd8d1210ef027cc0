import { environmentTables, placeOfEnvironment, readEnvironments } from '../../../src/settings/places/environmentsFile';

const depsOf = (text?: string, config?: string) => ({
  codexHome: '/codex',
  readFile: (path: string) => ({ '/codex/environments.toml': text, '/codex/config.toml': config })[path],
});

describe('readEnvironments', () => {
  it('is as an empty file if there is none', () => {
    expect(readEnvironments(depsOf())).toEqual({
      file: '/codex/environments.toml',
      includesLocal: true,
      byDefault: undefined,
    });
  });

  it('has the default, and whether threads may work on this machine', () => {
    const text = 'default = "a"\ninclude_local = false\n[[environments]]\nid = "a"\nurl = "ws://a"\n';
    expect(readEnvironments(depsOf(text))).toMatchObject({ includesLocal: false, byDefault: 'a' });
  });
});

describe('environmentTables', () => {
  it('has those of both files, each with its file', () => {
    const config = '[[environments]]\nid = "b"\nurl = "nats://b"\npool = "p"\n';
    expect(environmentTables(depsOf('[[environments]]\nid = "a"\nurl = "ws://a"\n', config))).toEqual([
      { table: { id: 'a', url: 'ws://a' }, file: '/codex/environments.toml', index: 0 },
      { table: { id: 'b', url: 'nats://b', pool: 'p' }, file: '/codex/config.toml', index: 0 },
    ]);
    expect(() => environmentTables(depsOf(config, config))).toThrow(
      '/codex/config.toml: environment `b` is in environments.toml too; remove one of them',
    );
    expect(environmentTables(depsOf(undefined, 'id = "x"\n'))).toEqual([]);
    expect(environmentTables(depsOf())).toEqual([]);
  });

  it('names the line that is missing before an environment', () => {
    expect(() => environmentTables(depsOf('id = "a"\n'))).toThrow(
      'an environment begins with a line [[environments]]; put it before `id`',
    );
  });
});

describe('placeOfEnvironment', () => {
  it.each<[string, string, number, string]>([
    ['its line', '# x\n[[environments]]\nid = "a"\n\n [[ environments ]]\n', 1, '/codex/environments.toml:5'],
    ['its file, where it has no line of its own', 'environments = [{ id = "a" }]\n', 0, '/codex/environments.toml'],
  ])('is %s', (_, text, index, place) => {
    const found = { table: { id: 'a' }, file: '/codex/environments.toml', index };
    expect(placeOfEnvironment({ readFile: () => text }, found)).toBe(place);
  });
});
