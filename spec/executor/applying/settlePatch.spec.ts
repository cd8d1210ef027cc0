import type { Journal, JournalEntry } from '../../../src/executor/applying/journal';
import { settlePatch } from '../../../src/executor/applying/settlePatch';
import { memoryDisk } from './memoryDisk';

const digest = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const of = (text: string): string => digest(Buffer.from(text));

/** The files a, b and c of a folder, of which each is changed from its name to its capital. */
const entryOf = (name: string, own: Partial<JournalEntry> = {}): JournalEntry => ({
  folder: '/ws',
  name,
  staged: `.${name}.new`,
  kept: `.${name}.old`,
  oldDigest: of(name),
  newDigest: of(name.toUpperCase()),
  ...own,
});

type Names = Record<string, string>;

/** What a patch of these files comes to; `committed`: a repository got a commit since. */
const settle = async (texts: Names, entries: JournalEntry[], committed = false) => {
  const inFolder = Object.fromEntries(Object.entries(texts).map(([name, text]) => [`/ws/${name}`, text]));
  const memory = memoryDisk({ '/ws/other': '', ...inFolder });
  const journal: Journal = { pid: 7, start: '1', host: 'here', version: 1, id: '1', folders: [], entries };
  const deps = { disk: memory.disk, digest, committedSince: async () => committed };
  const { outcome, leftovers } = await settlePatch(deps, journal, { phase: 'open', sinceMs: 1 });
  const { '/ws/other': _, ...left } = memory.texts();
  return [outcome, Object.fromEntries(Object.entries(left).map(([path, text]) => [path.slice(4), text])), leftovers];
};

const [A, B] = [entryOf('a'), entryOf('b')];
const REMOVED = entryOf('c', { newDigest: null });
const ADDED = entryOf('c', { oldDigest: null });

describe('settlePatch', () => {
  it.each<[string, Names, JournalEntry[], Names]>([
    ['all files are new', { a: 'A', '.a.old': 'a', b: 'B', '.b.old': 'b' }, [A, B], { a: 'A', b: 'B' }],
    ['the tidying was interrupted', { a: 'A', '.a.old': 'a', b: 'B' }, [A, B], { a: 'A', b: 'B' }],
    ['a file was edited since', { a: 'x', '.a.old': 'a', b: 'B', '.b.old': 'b' }, [A, B], { a: 'x', b: 'B' }],
    ['the last one was edited since', { a: 'A', '.a.old': 'a', b: 'x', '.b.old': 'b' }, [A, B], { a: 'A', b: 'x' }],
    [
      'a removed file was made again',
      { a: 'A', '.a.old': 'a', c: 'x', '.c.old': 'c' },
      [A, REMOVED],
      { a: 'A', c: 'x' },
    ],
    [
      'an added file was edited since',
      { c: 'x', '.c.new': 'C', b: 'B', '.b.old': 'b' },
      [ADDED, B],
      { c: 'x', b: 'B' },
    ],
    ['an added file was removed since', { '.c.new': 'C', b: 'B', '.b.old': 'b' }, [ADDED, B], { b: 'B' }],
    ['a folder of it was removed since', { b: 'B', '.b.old': 'b' }, [entryOf('a', { folder: '/gone' }), B], { b: 'B' }],
  ])('completes a patch if %s', async (_, before, entries, left) => {
    expect(await settle(before, entries)).toEqual(['completed', left, []]);
  });

  it.each<[string, Names, JournalEntry[], Names]>([
    [
      'one was not replaced',
      { a: 'A', '.a.old': 'a', b: 'b', '.b.old': 'b', '.b.new': 'B' },
      [A, B],
      { a: 'a', b: 'b' },
    ],
    ['one was not removed', { a: 'A', '.a.old': 'a', c: 'c' }, [A, REMOVED], { a: 'a', c: 'c' }],
    ['one was not added', { a: 'A', '.a.old': 'a', '.c.new': 'C' }, [A, ADDED], { a: 'a' }],
    ['nothing was replaced', { a: 'a', '.a.new': 'A', b: 'b' }, [A, B], { a: 'a', b: 'b' }],
    ['rolling back was interrupted', { a: 'A', '.a.old': 'a', b: 'b' }, [A, B], { a: 'a', b: 'b' }],
  ])('rolls a patch back if %s', async (_, before, entries, left) => {
    expect(await settle(before, entries)).toEqual(['rolled back', left, []]);
  });

  it('leaves half a patch that was committed since, with the content that is nowhere else', async () => {
    const before = { a: 'A', '.a.old': 'a', b: 'b', '.b.old': 'b', '.b.new': 'B' };
    const reason = 'it was committed since; its content before the patch is in .a.old';
    expect(await settle(before, [A, B], true)).toEqual([
      'left as it is',
      { a: 'A', '.a.old': 'a', b: 'b' },
      [{ path: '/ws/a', reason }],
    ]);
  });
});
