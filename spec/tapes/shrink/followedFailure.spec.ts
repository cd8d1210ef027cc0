import type { LaneResult } from '../../../src/tapes/diff/compare';
import { failuresOf, remarkUnstable, toFollowed } from '../../../src/tapes/shrink/pickLines';

const NONE: ReadonlySet<string> = new Set();
const line = (value: object) => ({ lineNumber: 1, value, text: JSON.stringify(value), label: 'response' });
/** A lane with the members `x` and `y`, both 0 on the tape. */
const lane = (label: string, x: number, y = 0): LaneResult => ({
  label,
  lineNumber: 2,
  recorded: [line({ x: 0, y: 0 })],
  now: [line({ x, y })],
  ...((x !== 0 || y !== 0) && { difference: { at: 0, values: [] } }),
});
const exit: LaneResult = {
  label: 'the exit of the server',
  lineNumber: 0,
  recorded: [],
  now: [],
  difference: { at: 0, reason: 'exit code 3', values: [] },
};
const run = (...results: LaneResult[]) => ({ results });
const crash = (cause: string) => ({ results: [lane('a', 1)], cause });

describe('toFollowed', () => {
  it.each([
    ['is the first difference', [run(lane('a', 0), lane('b', 1), lane('c', 1))], 'b: message.x'],
    ['leaves out what is random', [run(lane('a', 1, 7)), run(lane('a', 2, 7))], 'a: message.y'],
    [
      'leaves out what only some runs have',
      [run(lane('a', 0, 7)), run(lane('a', 1, 7)), run(lane('a', 1, 7))],
      'a: message.y',
    ],
    ['begins with the exit', [run(lane('a', 1), exit), run(lane('a', 1), exit)], 'the exit of the server: exit code 3'],
    ['is a crash alone', [crash('it ended (boom); 1 of 2'), crash('it ended (boom); 1 of 3')], 'it ended (boom)'],
    ['is a crash with other last words', [crash('it ended (pid 7); 1'), crash('it ended (pid 8); 1')], 'it ended'],
  ])('%s', (_, runs, failure) => {
    expect(toFollowed(runs)).toMatchObject({ kind: 'failure', failure });
  });

  it.each([
    ['same', [run(lane('a', 0)), run(lane('a', 0))]],
    ['unstable', [run(lane('a', 1)), run(lane('a', 2))]],
    ['unstable', [run(lane('a', 0)), run(lane('a', 1))]],
    ['unstable', [crash('it ended; 1'), run(lane('a', 1))]],
    ['unstable', [crash('it ended with 1; 1'), crash('it hangs; 1')]],
  ])('is %s', (kind, runs) => {
    expect(toFollowed(runs)).toMatchObject({ kind });
  });

  it('names what is left out', () => {
    expect(toFollowed([run(lane('a', 1, 7)), run(lane('a', 2, 7))]).unstable).toEqual(
      new Set(['a (line 2): message.x']),
    );
  });
});

describe('failuresOf', () => {
  it('has all differences but those that are left out', () => {
    expect(failuresOf(run(lane('a', 1, 1), lane('b', 1)), NONE)).toEqual([
      'a: message.x',
      'a: message.y',
      'b: message.x',
    ]);
    expect(failuresOf(run(lane('a', 1, 1)), new Set(['a (line 2): message.x']))).toEqual(['a: message.y']);
  });
});

describe('remarkUnstable', () => {
  it.each<[number, string[]]>([
    [0, []],
    [2, ['what differs between 3 runs is left out: p0, p1']],
    [7, ['what differs between 3 runs is left out: p0, p1, p2, p3, p4 and 2 more']],
  ])('remarks on %i places', (count, expected) => {
    const remarks: string[] = [];
    const places = new Set(Array.from({ length: count }, (_, i) => `p${i}`));
    remarkUnstable((text) => remarks.push(text), places, 3);
    expect(remarks).toEqual(expected);
  });
});
