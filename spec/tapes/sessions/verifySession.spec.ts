import { compare, type LaneResult } from '../../../src/tapes/diff/compare';
import type { Session } from '../../../src/tapes/format/tape';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import type { EndedBy } from '../../../src/tapes/sessions/playSession';
import { causeOfEnd, collapseUnplayed, toEdits } from '../../../src/tapes/sessions/verifySession';
import { sessionFrom } from '../../support/tapes';

type Line = Parameters<typeof sessionFrom>[number];
const request = (id: number): Line => [id, 'in', { id, method: 'a' }];
const response = (id: number): Line => [id, 'out', { id, result: {} }];
const exit = (code: number | null, sig: string | null = null): Line => [9, 'exit', { code, sig }];
const indexOf = (...lines: Line[]) => toSessionIndex(sessionFrom(...lines));

const session = indexOf(request(1), request(2), response(1), response(2), exit(0));

const call = (t: number, id: number, more = {}): Line => [
  t,
  'in',
  { id, method: 'tools/call', params: { name: 'a', ...more } },
];
const answer = (t: number, id: number, result: unknown): Line => [t, 'out', { id, result }];
const note = (t: number, text: string): Line => [t, 'out', { method: 'note', params: { text } }];

/** What changes on a tape of `recorded` when a server now sends `now`. */
const edited = (recorded: Line[], now: Line[]) => {
  const [before, after] = [sessionFrom(...recorded), sessionFrom(...now)] as [Session, Session];
  const results = compare(toSessionIndex(before), toSessionIndex(after), ALL_MASKS);
  return [...toEdits(before, { now: after, results }, ALL_MASKS)].map(([line, entries]) => [
    line,
    entries.map(({ t, line: text }) => `${t} ${text}`),
  ]);
};

const recorded = [call(0, 1), answer(5, 1, 'a'), note(6, 'x'), call(10, 2), answer(15, 2, 'b')];

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
    expect(causeOfEnd(session, indexOf(...now), endedBy)).toBe(cause);
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

describe('toEdits', () => {
  it('changes nothing if nothing differs but times', () => {
    expect(edited(recorded, [call(1, 1), answer(9, 1, 'a'), note(9, 'x'), call(20, 2), answer(25, 2, 'b')])).toEqual(
      [],
    );
  });

  it('replaces a line that differs at its recorded time, and keeps all others', () => {
    expect(edited(recorded, [call(1, 1), answer(9, 1, 'a'), note(9, 'x'), call(20, 2), answer(25, 2, 'B')])).toEqual([
      [5, ['15 {"id":2,"result":"B"}']],
    ]);
  });

  it('takes lines away, and adds lines behind those of their kind', () => {
    expect(edited(recorded, [call(1, 1), answer(9, 1, 'a'), call(20, 2), answer(25, 2, 'b')])).toEqual([[3, []]]);
    const more = [call(1, 1), answer(9, 1, 'a'), note(9, 'x'), note(9, 'y'), call(20, 2), answer(25, 2, 'b')];
    expect(edited(recorded, more)).toEqual([
      [3, ['6 {"method":"note","params":{"text":"x"}}', '6 {"method":"note","params":{"text":"y"}}']],
    ]);
  });

  it('replaces the exit of the server', () => {
    const exit = (code: number): Line => [30, 'exit', { code, sig: null }];
    expect(edited([...recorded, exit(0)], [...recorded, exit(3)])).toEqual([[6, ['30 {"code":3,"sig":null}']]]);
  });

  it('replaces all lines if a value of a changed line is in an unchanged one', () => {
    const session = (handle: string, text: string): Line[] => [
      call(0, 1),
      answer(5, 1, { cursor: handle, text }),
      call(10, 2, { cursor: handle }),
      answer(15, 2, { of: handle }),
    ];
    const now = session('9f8e7d6c5b4a', 'new');
    const all = edited(session('a1b2c3d4e5f6', 'old'), now);
    expect(all[0]).toEqual([1, now.map(([t, , message]) => `${t} ${JSON.stringify(message)}`)]);
    expect(all.slice(1)).toEqual([
      [2, []],
      [3, []],
      [4, []],
    ]);
  });
});
