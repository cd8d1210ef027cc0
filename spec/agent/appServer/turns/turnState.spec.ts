import { ItemParams, read } from '../../../../src/agent/appServer/shapes';
import { emitting, initialTurn, isRunning, withEntry } from '../../../../src/agent/appServer/turns/turnState';

const open = (type: string) => ({ item: read(ItemParams, { item: { type } }).item, isAnnounced: true });

describe('emitting', () => {
  it('emits and leaves the state as it is', () => {
    const reduce = emitting((params) => [{ type: 'warning', message: String(params) }]);
    const { state, output } = reduce(initialTurn, 'w');
    expect(state).toBe(initialTurn);
    expect(output).toEqual([{ type: 'warning', message: 'w' }]);
  });
});

describe('withEntry', () => {
  const map = new Map([['a', 1]]);
  it.each([
    [
      'adds an entry    ',
      'b',
      2,
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    ['replaces one     ', 'a', 2, [['a', 2]]],
    ['removes one      ', 'a', undefined, []],
    ['removes none     ', 'b', undefined, [['a', 1]]],
  ])('%s, in a copy', (_, key, value, entries) => {
    expect([[...withEntry(map, key, value)], [...map]]).toEqual([entries, [['a', 1]]]);
  });
});

describe('isRunning', () => {
  it.each([
    [[], false],
    [['agentMessage'], false],
    [['agentMessage', 'commandExecution'], true],
  ])('with the open items %j is %j', (types, expected) => {
    const items = new Map(types.map((type, i) => [String(i), open(type)]));
    expect(isRunning({ ...initialTurn, items })).toBe(expected);
  });
});
