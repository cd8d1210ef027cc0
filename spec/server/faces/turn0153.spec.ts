import { newTurn0153, withEntry } from '../../../src/server/faces/turn0153';

describe('newTurn0153', () => {
  it('has its input, and nothing that is open', () => {
    const input = [{ type: 'text', text: 'go' }] as const;
    const empty = { contextWindow: null, partsLeft: 0, patches: new Map(), commands: new Map() };
    expect([newTurn0153(input), newTurn0153()]).toEqual([
      { input, ...empty },
      { input: [], ...empty },
    ]);
  });
});

describe('withEntry', () => {
  const map = new Map([['a', 1]]);
  it.each([
    [
      'adds an entry',
      'b',
      2,
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    ['replaces one ', 'a', 2, [['a', 2]]],
    ['removes one  ', 'a', undefined, []],
    ['removes none ', 'b', undefined, [['a', 1]]],
  ])('%s, in a copy', (_, key, value, entries) => {
    expect([[...withEntry(map, key, value)], [...map]]).toEqual([entries, [['a', 1]]]);
  });
});
