import type { Journal } from '../../../src/executor/applying/journal';
import { rollBack } from '../../../src/executor/applying/rollBack';
import { type Faults, memoryDisk, systemError } from './memoryDisk';

const digest = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const of = (text: string): string => digest(Buffer.from(text));
const [NEW, OLD] = ['/ws/.new', '/ws/.old'];
const entry = { folder: '/ws', name: 'f', staged: '.new', kept: '.old', oldDigest: of('a'), newDigest: of('b') };
const journal = (own: Partial<typeof entry> | { oldDigest: null }, folders: string[] = []): Journal => ({
  version: 1,
  id: '1',
  host: 'here',
  pid: 7,
  start: '1',
  folders,
  entries: [{ ...entry, ...own }],
});

type Names = Record<string, string>;
/** What is left of these files, and what could not be done. */
const rolledBack = async (
  texts: Names,
  own: object = {},
  phase: 'open' | 'committed' = 'open',
  faults: Faults = {},
) => {
  const memory = memoryDisk({ '/ws/other': '', ...texts }, faults);
  const leftovers = await rollBack({ disk: memory.disk, digest }, journal(own), phase);
  const { '/ws/other': _, ...left } = memory.texts();
  return { left, leftovers };
};

describe('rollBack of an open patch', () => {
  it.each<[string, Names, object, Names]>([
    ['removes what was staged          ', { '/ws/f': 'a', [NEW]: 'b' }, {}, { '/ws/f': 'a' }],
    ['removes a copy of the old content', { '/ws/f': 'a', [OLD]: 'a' }, {}, { '/ws/f': 'a' }],
    ['brings the old content back      ', { '/ws/f': 'b', [OLD]: 'a' }, {}, { '/ws/f': 'a' }],
    ['brings back one that is gone     ', { [OLD]: 'a' }, {}, { '/ws/f': 'a' }],
    ['brings a deleted file back       ', { [OLD]: 'a' }, { newDigest: null }, { '/ws/f': 'a' }],
    ['removes a new file by its content', { '/ws/f': 'b' }, { oldDigest: null }, {}],
    ['leaves a new file of others      ', { '/ws/f': 'x' }, { oldDigest: null }, { '/ws/f': 'x' }],
    ['leaves it beside what was staged ', { '/ws/f': 'b', [NEW]: 'b' }, { oldDigest: null }, { '/ws/f': 'b' }],
    ['has nothing to do                ', { '/ws/f': 'a' }, {}, { '/ws/f': 'a' }],
  ])('%s', async (_, before, own, left) => {
    expect(await rolledBack(before, own)).toEqual({ left, leftovers: [] });
  });

  it('leaves a file that was written again, and names where its old content is', async () => {
    expect(await rolledBack({ '/ws/f': 'x', [OLD]: 'a' })).toEqual({
      left: { '/ws/f': 'x', [OLD]: 'a' },
      leftovers: [{ path: '/ws/f', reason: 'it was written again; its content before the patch is in .old' }],
    });
  });

  it('reports what the system refuses, and passes over a folder that is gone', async () => {
    const before = (operation: string) => {
      if (operation.startsWith('rename')) throw systemError('EIO', -5);
    };
    expect((await rolledBack({ '/ws/f': 'b', [OLD]: 'a' }, {}, 'open', { before })).leftovers).toEqual([
      { path: '/ws/f', reason: 'Input/output error (os error 5)' },
    ]);
    expect(await rolledBack({}, { folder: '/gone' })).toEqual({ left: {}, leftovers: [] });
  });

  it('removes the folders of the patch, the innermost first, and leaves one that has something in it', async () => {
    const memory = memoryDisk({ '/ws/used/x': 'x' });
    for (const folder of ['/ws/new', '/ws/new/deep']) memory.folders.add(folder);
    const half = { ...journal({}), entries: [], folders: ['/ws/used', '/ws/new', '/ws/new/deep', '/ws/gone'] };
    expect(await rollBack({ disk: memory.disk, digest }, half, 'open')).toEqual([]);
    expect([...memory.folders].sort()).toEqual(['/', '/ws', '/ws/used']);
  });
});

describe('rollBack of a committed patch', () => {
  it('removes what stands next to the files, and keeps them as they are', async () => {
    const files = { '/ws/f': 'b', [OLD]: 'a', [NEW]: 'b' };
    expect(await rolledBack(files, {}, 'committed')).toEqual({ left: { '/ws/f': 'b' }, leftovers: [] });
  });
});
