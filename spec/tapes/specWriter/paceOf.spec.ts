import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { longestOf, NO_PACE, paceOf } from '../../../src/tapes/specWriter/paceOf';
import { sessionFrom } from '../../support/tapes';

const request = { id: 1, method: 'ping' };

describe('paceOf', () => {
  it('measures the waits for lines of the server, not those for the client', () => {
    const session = sessionFrom(
      [100, 'in', request],
      [150, 'out', { id: 1, result: {} }],
      [9_000, 'in', { ...request, id: 2 }],
      [9_100, 'out', { method: 'a' }],
      [16_100, 'err', 'working'],
      [16_300, 'out', { id: 2, result: {} }],
      [16_400, 'note', 'standard input closed'],
      [18_000, 'exit', { code: 0, sig: null }],
    );
    expect(paceOf(toSessionIndex(session))).toEqual({ totalMs: 17_900, silentMs: 7_200, endMs: 1_600 });
  });

  it('is nothing for an empty session', () => {
    expect(paceOf(toSessionIndex(sessionFrom()))).toEqual(NO_PACE);
  });
});

describe('longestOf', () => {
  it('takes the longest of each', () => {
    const paces = [
      { totalMs: 1, silentMs: 5, endMs: 0 },
      { totalMs: 3, silentMs: 2, endMs: 1 },
    ];
    expect(longestOf(paces)).toEqual({ totalMs: 3, silentMs: 5, endMs: 1 });
    expect(longestOf([])).toEqual(NO_PACE);
  });
});
