import { collapseUnplayed } from '../../../src/tapes/diff/collapseUnplayed';
import { compare, type LaneResult } from '../../../src/tapes/diff/compare';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

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
