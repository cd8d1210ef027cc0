import fc from 'fast-check';
import type { ConfigDeps } from '../../src/settings/deps';
import { ConfigError } from '../../src/settings/faults/configError';
import { loadConfig, reuseConfig } from '../../src/settings/loadConfig';
import { depsOf, file } from './deps';

/** A disk whose files and links can be changed between two calls, and how often each file was read. */
const changingDisk = (files: Record<string, string> = {}) => {
  const disk = { files: { ...files }, missing: new Set<string>(), links: {} as Record<string, string> };
  const readFile = jest.fn((path: string) => {
    if (disk.files[path] === 'unreadable') throw new Error('EACCES');
    return disk.files[path];
  });
  const deps: ConfigDeps = depsOf({
    readFile,
    isDirectory: (path) => !path.endsWith('/.git') && !disk.missing.has(path),
    realpath: (path) => disk.links[path] ?? path,
    secretPlaces: () => ['/secret'],
  });
  return { disk, deps, readFile };
};

describe('reuseConfig', () => {
  it('gives the same Config while nothing has changed, and what loadConfig gives', () => {
    const { deps, readFile } = changingDisk({ [file]: 'model = "a"' });
    const configure = reuseConfig(deps);
    const first = configure({ sandbox: 'read-only' });
    expect(first).toStrictEqual(loadConfig(deps)({ sandbox: 'read-only' }));
    readFile.mockClear();
    expect(configure({ sandbox: 'read-only' })).toBe(first);
    expect(readFile.mock.calls).toEqual([
      [file],
      ['/home/environments.toml'],
      ['/home/hooks.json'],
      ['/home/rules/default.rules'],
    ]);
  });

  it('makes another if a file, a folder or the target of a link has changed', () => {
    const { deps, disk } = changingDisk({ [file]: 'model = "a"\n[projects."/real"]\ntrust_level = "trusted"' });
    const configure = reuseConfig(deps);
    const call = { cwd: 'sub' };
    expect(configure(call)).toMatchObject({ model: 'a', approvalPolicy: 'on-request', sandboxMode: 'read-only' });
    disk.links['/project/sub'] = '/real';
    expect(configure(call)).toMatchObject({ sandboxMode: 'workspace-write', folders: { '/project/sub': '/real' } });
    disk.files[file] = 'model = "b"';
    expect(configure(call)).toMatchObject({ model: 'b', sandboxMode: 'read-only' });
    disk.missing.add('/project/sub');
    expect(() => configure(call)).toThrow(ConfigError);
  });

  it('reports a file that has become unreadable, and uses it again when it is readable', () => {
    const { deps, disk } = changingDisk({ [file]: 'model = "a"' });
    const configure = reuseConfig(deps);
    configure({});
    disk.files[file] = 'unreadable';
    expect(() => configure({})).toThrow(`${file}: cannot be read: EACCES`);
    disk.files[file] = 'model = "c"';
    expect(configure({}).model).toBe('c');
  });

  it('keeps the newest 16 settings at least, and 32 at most', () => {
    const configure = reuseConfig(changingDisk().deps);
    const configs = Array.from({ length: 33 }, (_, i) => configure({ model: `m${i}` }));
    expect(configure({ model: 'm32' })).toBe(configs[32]);
    expect(configure({ model: 'm17' })).toBe(configs[17]);
    expect(configure({ model: 'm0' })).not.toBe(configs[0]);
  });

  it('equals loadConfig whatever changes between the calls', () => {
    const text = fc.constantFrom('model = "a"', 'model = "b"', 'sandbox_mode = "workspace-write"', 'unreadable', '?');
    const settings = fc.constantFrom({}, { model: 'own' }, { cwd: '/secret' }, { config: { model_verbosity: 'low' } });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, settings), { maxLength: 8 }), (steps) => {
        const { deps, disk } = changingDisk();
        const configure = reuseConfig(deps);
        for (const [content, given] of steps) {
          disk.files[file] = content;
          expect(outcome(() => configure(given))).toStrictEqual(outcome(() => loadConfig(deps)(given)));
        }
      }),
      { numRuns: 15 },
    );
  });
});

const outcome = (load: () => unknown): unknown => {
  try {
    return load();
  } catch (error) {
    return (error as Error).message;
  }
};
