import fc from 'fast-check';
import type { LaneResult } from '../../../src/tapes/diff/compare';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import {
  afterTrial,
  candidateOf,
  failuresOf,
  optionalLines,
  pickLines,
  type Reduction,
  remarkUnstable,
  startReduction,
  toFollowed,
  unsolicitedLabels,
} from '../../../src/tapes/shrink/pickLines';
import { sessionFrom } from '../../support/tapes';

const call = (id: number) => ({ id, method: 'tools/call', params: { name: `t${id}`, _meta: { progressToken: id } } });
const session = sessionFrom(
  [0, 'in', { id: 0, method: 'initialize' }],
  [1, 'out', { id: 0, result: {} }],
  [2, 'in', { method: 'notifications/initialized' }],
  [3, 'in', call(1)],
  [4, 'out', { id: 'q', method: 'elicitation/create', params: { _meta: { progressToken: 1 } } }],
  [5, 'in', { id: 'q', result: {} }],
  [6, 'out', { id: 1, result: {} }],
  [7, 'in', call(2)],
  [8, 'out', { id: 2, result: {} }],
  [9, 'note', 'standard input closed'],
);
const index = toSessionIndex(session);

describe('optionalLines', () => {
  it('are requests without the handshake', () => {
    expect(optionalLines(index)).toEqual([2, 4]);
  });
});

describe('pickLines', () => {
  const numbersOf = (kept: number[]) =>
    pickLines(session, index, { lines: kept }).entries.map(({ lineNumber }) => lineNumber);

  it('leaves a call out with its questions, their answers and its result', () => {
    expect(numbersOf([4])).toEqual([1, 2, 3, 8, 9, 10]);
    expect(numbersOf([])).toEqual([1, 2, 3, 10]);
    expect(numbersOf([2, 4])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('keeps notifications that the server still sends without the call before them, each once', () => {
    const more = sessionFrom(
      [0, 'in', { id: 0, method: 'initialize' }],
      [1, 'out', { id: 0, result: {} }],
      [2, 'out', { method: 'a' }],
      [3, 'in', call(1)],
      [4, 'out', { method: 'a' }],
      [5, 'out', { method: 'b' }],
      [6, 'out', { method: 'b' }],
      [7, 'out', { id: 1, result: {} }],
    );
    const of = toSessionIndex(more);
    const kept = (unasked: string[]) =>
      pickLines(more, of, { lines: [], unasked }).entries.map(({ lineNumber }) => lineNumber);
    expect(unsolicitedLabels(of)).toEqual(['a', 'a', 'b', 'b']);
    expect(kept([])).toEqual([1, 2, 3]);
    expect(kept(['a', 'b'])).toEqual([1, 2, 3, 6]);
    expect(kept(['a', 'a', 'c'])).toEqual([1, 2, 3, 5]);
  });
});

const reduced = (items: readonly number[], fails: (items: readonly number[]) => boolean): readonly number[] => {
  let state: Reduction<number> = startReduction(items);
  for (let runs = 0; runs < 10_000; runs += 1) {
    const candidate = candidateOf(state);
    if (candidate === undefined) return state.items;
    state = afterTrial(state, fails(candidate) ? 'fails' : 'passes');
  }
  throw new Error('it does not end');
};

const items = Array.from({ length: 50 }, (_, i) => i);

describe('a reduction', () => {
  it('finds the few items that are needed', () => {
    expect(reduced(items, (some) => some.includes(3) && some.includes(41))).toEqual([3, 41]);
    expect(reduced(items, (some) => some.includes(7))).toEqual([7]);
  });

  it('leaves out all where none is needed, and nothing of an empty list', () => {
    expect(reduced(items, () => true)).toEqual([]);
    expect(candidateOf(startReduction([]))).toBeUndefined();
  });

  it('keeps all where each is needed', () => {
    expect(reduced(items, (some) => some.length === 50)).toEqual(items);
  });

  it('ends with a list that fails, of which no single item can be left out', () => {
    const needed = fc.subarray(items.slice(0, 20), { minLength: 1 });
    fc.assert(
      fc.property(needed, (wanted) => {
        const fails = (some: readonly number[]) => wanted.every((one) => some.includes(one));
        expect(reduced(items.slice(0, 20), fails)).toEqual(wanted);
      }),
    );
  });
});

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
