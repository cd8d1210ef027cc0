import { compare, type LaneResult } from '../../../src/tapes/diff/compare';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import type { EndedBy } from '../../../src/tapes/sessions/playSession';
import { causeOfEnd, collapseUnplayed } from '../../../src/tapes/sessions/verifySession';
import { sessionFrom } from '../../support/tapes';

type Line = Parameters<typeof sessionFrom>[number];
const request = (id: number): Line => [id, 'in', { id, method: 'a' }];
const response = (id: number): Line => [id, 'out', { id, result: {} }];
const exit = (code: number | null, sig: string | null = null): Line => [9, 'exit', { code, sig }];
const indexOf = (...lines: Line[]) => toSessionIndex(sessionFrom(...lines));

const recorded = indexOf(request(1), request(2), response(1), response(2), exit(0));

describe('causeOfEnd', () => {
  it.each<[string, Line[], string | undefined, EndedBy?]>([
    ['all is as recorded', [request(1), request(2), response(1), response(2), exit(0)], undefined],
    ['only the exit code differs', [request(1), request(2), response(1), response(2), exit(3)], undefined],
    ['the server is silent and ends in order', [request(1), request(2), response(1), exit(0)], undefined],
    [
      'it crashes behind the first line',
      [request(1), [2, 'err', 'boom'], [3, 'err', ' '], exit(3)],
      'the server ended with exit code 3 (boom); the client got to send 1 of its 2 lines',
    ],
    [
      'a fault of its own ends it behind the first line',
      [request(1), [2, 'err', 'boom'], exit(null, 'SIGSEGV')],
      'the server ended by SIGSEGV (boom); the client got to send 1 of its 2 lines',
    ],
    [
      'somebody else ends it by a signal',
      [request(1), exit(null, 'SIGKILL')],
      'the server ended by SIGKILL; the client got to send 1 of its 2 lines',
    ],
    [
      'it hangs until the client ends it by a signal',
      [request(1), exit(null, 'SIGTERM')],
      'the server did not respond in time; the client got to send 1 of its 2 lines',
      'client',
    ],
    [
      'it hangs until the client ends its input',
      [request(1), exit(0)],
      'the server did not respond in time; the client got to send 1 of its 2 lines',
      'client',
    ],
    [
      'it hangs at the last line',
      [request(1), request(2), response(1), exit(0)],
      'the server did not respond in time; it did not respond to 1 request',
      'client',
    ],
    [
      'it sends without end',
      [request(1), request(2), response(1), response(2), response(2)],
      'the server sent more than 16 MB and 4 times what was recorded; the client got to send 2 of its 2 lines',
      'flood',
    ],
    ['it hangs', [request(1)], 'the server did not respond in time; the client got to send 1 of its 2 lines'],
    [
      'it crashes when all has been sent',
      [request(1), request(2), exit(3)],
      'the server ended with exit code 3; it did not respond to 2 requests',
    ],
    [
      'a signal ends it',
      [request(1), request(2), response(1), exit(null, 'SIGSEGV')],
      'the server ended by SIGSEGV; it did not respond to 1 request',
    ],
  ])('where %s', (_, now, cause, endedBy = 'server' as never) => {
    expect(causeOfEnd(recorded, indexOf(...now), endedBy)).toBe(cause);
  });

  it('is none where the recorded server ended so too', () => {
    const ends = [exit(3), exit(null, 'SIGTERM')];
    for (const end of ends) {
      const before = indexOf(request(1), response(1), end);
      expect(causeOfEnd(before, indexOf(request(1), end), 'server')).toBeUndefined();
      expect(causeOfEnd(before, indexOf(request(1), exit(null, 'SIGKILL')), 'server')).toBe(
        'the server ended by SIGKILL; it did not respond to 1 request',
      );
    }
  });
});

describe('collapseUnplayed', () => {
  type Line = [t: number, dir: string, message: object];

  const request = (id: number, method: string): Line => [id, 'in', { id, method }];

  const response = (id: number, result: unknown): Line => [id, 'out', { id, result }];

  const exit = (code: number): Line => [9, 'exit', { code, sig: null }];

  const indexOf = (...lines: Line[]) => toSessionIndex(sessionFrom(...lines));

  const recorded = indexOf(
    request(1, 'a'),
    response(1, 'A'),
    request(2, 'b'),
    response(2, 'B'),
    request(3, 'c'),
    response(3, 'C'),
    exit(0),
  );

  const labelsOf = (results: readonly LaneResult[]) =>
    results.flatMap(({ label, difference }) => (difference ? [[label, difference.reason]] : []));

  describe('collapseUnplayed', () => {
    const crashed = compare(recorded, indexOf(request(1, 'a'), response(1, 'X'), request(2, 'b'), exit(3)), ALL_MASKS);

    it('reports the cause in the place of what follows from it, and keeps other differences', () => {
      expect(labelsOf(collapseUnplayed(crashed, 'the server crashed'))).toEqual([
        ['a', undefined],
        ['the early end of the session', 'the server crashed'],
      ]);
    });

    it('leaves the results as they are where the session was played in full', () => {
      expect(collapseUnplayed(crashed, undefined)).toBe(crashed);
      const same = compare(recorded, recorded, ALL_MASKS);
      expect(collapseUnplayed(same, 'a cause')).toBe(same);
    });
  });

  describe('compare', () => {
    const run = (code: number) => indexOf(request(1, 'a'), response(1, 'A'), exit(code));

    it('finds an exit code that is no longer 0', () => {
      expect(labelsOf(compare(run(0), run(3), ALL_MASKS))).toEqual([
        ['the exit of the server', 'recorded exit code 0, now exit code 3'],
      ]);
    });

    it('passes over other exit codes, and sessions without one', () => {
      const open = indexOf(request(1, 'a'), response(1, 'A'));
      for (const [one, other] of [
        [run(0), run(0)],
        [run(3), run(0)],
        [run(0), open],
        [open, run(3)],
      ] as const) {
        expect(labelsOf(compare(one, other, ALL_MASKS))).toEqual([]);
      }
    });
  });
});
