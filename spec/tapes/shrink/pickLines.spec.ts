import fc from 'fast-check';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import {
  afterTrial,
  candidateOf,
  optionalLines,
  pickLines,
  type Reduction,
  startReduction,
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
