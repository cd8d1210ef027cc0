import { readFileSync } from 'node:fs';
import { afterColon, counted, fileReasonOf, reasonOf, systemRemedy } from '../../../src/streams/text/reasons';

describe('reasonOf', () => {
  it.each([
    [new Error('no'), 'no'],
    [new TypeError(''), ''],
    ['text', 'text'],
    [7, '7'],
    [undefined, 'undefined'],
    [{ message: 'no' }, '[object Object]'],
  ])('of %p is %s', (error, reason) => expect(reasonOf(error)).toBe(reason));
});

describe('afterColon', () => {
  it.each([
    ['The tape is gone', 'the tape is gone'],
    ['A is missing', 'A is missing'],
    ['There is none.', 'there is none'],
    ['The thread is in use. Close it there.', 'the thread is in use. Close it there.'],
    ['Codex is not installed', 'Codex is not installed'],
    ['NATS: gone...', 'NATS: gone...'],
    ['A: no such file', 'A: no such file'],
    ['the tape is gone', 'the tape is gone'],
    ['', ''],
  ])('writes %j as %j', (text, expected) => {
    expect(afterColon(text)).toBe(expected);
  });
});

describe('counted', () => {
  it.each([
    [0, '0 calls'],
    [1, '1 call'],
    [2, '2 calls'],
  ])('writes %d with its noun', (count, text) => {
    expect(counted(count, 'call')).toBe(text);
  });
});

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('fileReasonOf', () => {
  it.each([
    [thrownBy(() => readFileSync('/no/such, open file')), 'ENOENT: no such file or directory'],
    [thrownBy(() => readFileSync('/')), 'EISDIR: illegal operation on a directory'],
    [new Error("it is odd, open 'x'"), "it is odd, open 'x'"],
    ['text', 'text'],
  ])('names the reason alone: %s', (error, reason) => expect(fileReasonOf(error)).toBe(reason));
});

describe('systemRemedy', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])(
    'has the cause of %s, and what to do',
    (code) => expect(systemRemedy(code)).toMatch(/^[^:]+: (free|set|check|raise|end) .*/),
  );

  it.each(['ENOENT', 'toString', undefined])('has none for %s', (code) => expect(systemRemedy(code)).toBeUndefined());
});
