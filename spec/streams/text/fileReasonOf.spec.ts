import { readFileSync } from 'node:fs';
import { fileReasonOf } from '../../../src/streams/text/fileReasonOf';

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
