import { lockFreeTape, sessionPath, type TakeLock } from '../../../src/tapes/files/openTape';

const lockWith =
  (taken: readonly string[], release?: () => void): TakeLock =>
  (path) =>
    taken.includes(path) ? 'taken' : release;

describe('lockFreeTape', () => {
  it.each<[string, string[], number, string]>([
    ['the file itself', [], 0, 'a/tape.jsonl'],
    ['the next one beside it', ['a/tape.jsonl', 'a/tape-2.jsonl'], 0, 'a/tape-3.jsonl'],
    ['the one of a session', [], 1, 'a/tape-2.jsonl'],
    ['the one of a late session', [], 1_000, 'a/tape-1001.jsonl'],
    ['the one behind it', ['a/tape-2.jsonl'], 1, 'a/tape-3.jsonl'],
  ])('takes %s', (_, taken, from, path) => {
    const release = jest.fn();
    const free = lockFreeTape(lockWith(taken, release), 'a/tape.jsonl', from);
    expect(free.path).toBe(path);
    free.release();
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('takes a file that has no lock as it is', () => {
    const free = lockFreeTape(lockWith([]), '/dev/stdout', 0);
    free.release();
    expect(free.path).toBe('/dev/stdout');
  });

  it('takes the file itself when all others are taken', () => {
    expect(lockFreeTape(() => 'taken', 'tape.jsonl', 0).path).toBe('tape.jsonl');
  });
});

describe('sessionPath', () => {
  it.each([
    ['tape.jsonl', 0, 'tape.jsonl'],
    ['tape.jsonl', 1, 'tape-2.jsonl'],
    ['/a.b/tape', 2, '/a.b/tape-3'],
    ['/a.b/tape.old.jsonl', 1, '/a.b/tape.old-2.jsonl'],
    ['/a/.hidden', 1, '/a/.hidden-2'],
  ])('names %s, session %d: %s', (path, session, expected) => {
    expect(sessionPath(path, session)).toBe(expected);
  });
});
