import { sessionPath } from '../../../src/tapes/files/sessionPath';

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
