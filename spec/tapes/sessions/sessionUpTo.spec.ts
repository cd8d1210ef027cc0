import { sessionUpTo } from '../../../src/tapes/sessions/sessionUpTo';
import { sessionFrom } from '../../support/tapes';

const session = sessionFrom(
  [0, 'out', { method: 'ready' }],
  [1, 'in', { id: 1, method: 'a' }],
  [2, 'out', { id: 1, result: 1 }],
  [3, 'in', { id: 2, method: 'b' }],
);
const linesUpTo = (at: number): number[] => sessionUpTo(session, at).entries.map(({ lineNumber }) => lineNumber);

describe('sessionUpTo', () => {
  const [first = 0, second = 0, third = 0, last = 0] = session.entries.map(({ lineNumber }) => lineNumber);

  it('keeps what comes up to a line', () => {
    expect(linesUpTo(third)).toEqual([first, second, third]);
    expect(linesUpTo(last)).toEqual([first, second, third, last]);
    expect(linesUpTo(Number.POSITIVE_INFINITY)).toEqual([first, second, third, last]);
  });

  it('refuses a line behind the session, and one before the first line of the client', () => {
    expect(() => linesUpTo(last + 1)).toThrow(`line ${last + 1} is beyond the session, which ends at line ${last}`);
    expect(() => linesUpTo(first)).toThrow(`the client sent nothing up to line ${first}`);
  });
});
