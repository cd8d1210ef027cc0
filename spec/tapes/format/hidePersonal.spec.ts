import { mayHoldSecret } from '../../../src/io/log/mayHoldSecret';
import { hidePersonal } from '../../../src/tapes/format/redactValue';

describe('hidePersonal', () => {
  it.each([
    ['/home/ann/x /Users/bo', '/home/[redacted]/x /Users/[redacted]', ['home path', 'home path']],
    ['C:\\Users\\ann\\x D:/Users/bo', 'C:\\Users\\[redacted]\\x D:/Users/[redacted]', ['home path', 'home path']],
    ['write to a.b+c@mail.example.org!', 'write to [redacted]!', ['e-mail']],
    ['/home/[redacted]/x', '/home/[redacted]/x', []],
    ['@types/node, a@b', '@types/node, a@b', []],
  ])('makes %s to %s', (text, expected, reported) => {
    const kinds: string[] = [];
    expect([hidePersonal(text, (kind) => kinds.push(kind)), kinds]).toEqual([expected, reported]);
    if (reported.length > 0) expect([text, JSON.stringify({ a: text })].map(mayHoldSecret)).toEqual([true, true]);
  });
});
