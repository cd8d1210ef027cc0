import type { LaneResult } from '../../../src/tapes/diff/compare';
import { placesOf, unstablePlaces, withoutPlaces } from '../../../src/tapes/diff/describeLane';
import { toCanonical } from '../../../src/tapes/matching/matchKey';

const line = (value: object) => ({ lineNumber: 1, value, text: toCanonical(value), label: 'response' });
const lane = (recorded: object[], now: object[], own: Partial<LaneResult> = {}): LaneResult => {
  const at = recorded.findIndex((value, i) => toCanonical(value) !== toCanonical(now[i]));
  const result = { label: 'call', lineNumber: 3, recorded: recorded.map(line), now: now.map(line), ...own };
  return at === -1 ? result : { difference: { at, values: [] }, ...result };
};
const namesOf = (result: LaneResult): string[] => placesOf(result).map(({ name }) => name);

describe('placesOf', () => {
  it('names each value of each line that differs', () => {
    expect(namesOf(lane([{ a: 1, b: 1 }, { c: 1 }, { d: 1 }], [{ a: 2, b: 2 }, { c: 1 }, { d: 2 }]))).toEqual([
      'call: message.a',
      'call: message.b',
      'call: message.d',
    ]);
    expect(placesOf(lane([{ a: 1 }], [{ a: 2 }]))[0]?.id).toBe('call (line 3): message.a');
  });

  it.each<[string, LaneResult, string[]]>([
    ['what is the same', lane([{ a: 1 }], [{ a: 1 }]), []],
    ['a message less', lane([{ a: 1 }, { b: 1 }], [{ a: 1 }]), ['call: a message less']],
    [
      'a message more',
      lane([{ a: 1 }], [{ a: 1 }, { b: 1 }], { difference: { at: 1, values: [] } }),
      ['call: a message more'],
    ],
    ['a reason', lane([{ a: 1 }], [], { difference: { at: 0, reason: 'not now', values: [] } }), ['call: not now']],
  ])('names %s', (_, result, names) => {
    expect(namesOf(result)).toEqual(names);
  });
});

describe('unstablePlaces', () => {
  const run = (a: number, b: number): LaneResult[] => [lane([{ a: 1, b: 1 }], [{ a, b }])];

  it.each<[string, LaneResult[][], string[]]>([
    ['nothing where all runs differ alike', [run(2, 2), run(2, 2)], []],
    ['a value that is another each time', [run(2, 2), run(2, 3)], ['call (line 3): message.b']],
    ['what differs in one run only', [run(2, 1), run(2, 2), run(2, 1)], ['call (line 3): message.b']],
    [
      'all where one run is as recorded',
      [run(1, 1), run(2, 2)],
      ['call (line 3): message.a', 'call (line 3): message.b'],
    ],
    ['nothing of one run', [run(2, 2)], []],
  ])('finds %s', (_, runs, ids) => {
    expect([...unstablePlaces(runs)]).toEqual(ids);
  });
});

describe('withoutPlaces', () => {
  const ids = new Set(['call (line 3): message.a', 'call (line 3): not now']);

  it.each<[string, LaneResult, unknown]>([
    [
      'the rest of a line',
      lane([{ a: 1, b: 1 }], [{ a: 2, b: 2 }]),
      { at: 0, values: [{ path: 'message.b', recorded: 1, now: 2 }] },
    ],
    [
      'a later line',
      lane([{ a: 1 }, { b: 1 }], [{ a: 2 }, { b: 2 }]),
      { at: 1, values: [{ path: 'message.b', recorded: 1, now: 2 }] },
    ],
    ['a message less', lane([{ a: 1 }, { b: 1 }], [{ a: 2 }]), { at: 1, values: [] }],
    ['nothing', lane([{ a: 1 }], [{ a: 2 }]), undefined],
    ['nothing of a reason', lane([], [], { difference: { at: 0, reason: 'not now', values: [] } }), undefined],
    [
      'another reason',
      lane([], [], { difference: { at: 0, reason: 'x', values: [] } }),
      { at: 0, reason: 'x', values: [] },
    ],
    ['what is the same', lane([{ a: 1 }], [{ a: 1 }]), undefined],
  ])('leaves %s', (_, result, difference) => {
    expect(withoutPlaces([result], ids)[0]?.difference).toEqual(difference);
  });
});
