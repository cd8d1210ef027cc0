/** What an operator's spec loads besides the operator: the notation only, so that no fault elsewhere can fail it. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** The files of this repository that a spec loads, without running its tests. */
const loadedBy = (spec: string): string[] => {
  jest.resetModules();
  jest.spyOn(globalThis, 'describe').mockImplementation(() => {});
  Object.assign(globalThis.describe, { each: () => () => {} });
  for (const hook of ['beforeEach', 'afterEach'] as const) jest.spyOn(globalThis, hook).mockImplementation(() => {});
  const before = new Set(Object.keys(require.cache));
  require(spec);
  const isPackage = (path: string) => /node_modules|loading[\\/]rxjs\.ts$/.test(path);
  const files = Object.keys(require.cache).filter((path) => !before.has(path) && !isPackage(path));
  return files.map((path) => relative(ROOT, path));
};

const isOf =
  (...folders: string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(folder));

const streams = join(ROOT, 'spec/streams');

const specsOfStreams = readdirSync(streams, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.spec.ts') && !/^(lazy\.|(marbles|text)\/)/.test(name),
);

describe('the helper of marble specs', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is a dozen files at most, none of them outside the room of marbles', () => {
    const files = loadedBy(join(ROOT, 'spec/support/marbles.ts'));
    expect(files).toContain('src/streams/marbles/marbles.ts');
    expect(files.filter((path) => !isOf('src/streams/marbles/', 'spec/support/marbles.ts')(path))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(12);
  });

  it('is used by specs of inner rooms too', () => {
    expect(specsOfStreams.length).toBeGreaterThan(20);
    expect(specsOfStreams).toContainEqual(expect.stringContaining('/'));
  });

  it.each(specsOfStreams)('is all that %s loads besides its room and the protocol below it', (name) => {
    const files = loadedBy(join(streams, name));
    expect(files).toContainEqual(expect.stringMatching(/^src\/streams\//));
    expect(files.filter((path) => !isOf('spec/', 'src/streams/', 'src/protocol/')(path))).toEqual([]);
  });
});
