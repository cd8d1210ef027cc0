import { addPlan, noTurnChanges, type TurnChanges } from '../../../src/executor/patch/turnChanges';
import { patchOf, planned, textFile } from './support';

const one = textFile('1\n');
const states = (changes: TurnChanges) =>
  Object.fromEntries(
    [...changes].map(([path, { first, now, ...rest }]) => [path, [first?.bytes.length, now?.bytes.length, rest]]),
  );

describe('addPlan', () => {
  const grow = planned(patchOf('*** Update File: f', '@@', '-1', '+22'), { f: '1\n' });

  it('keeps what the turn found, and what is there now', () => {
    const again = planned(patchOf('*** Update File: f', '@@', '-22', '+333'), { f: '22\n' });
    expect(states(addPlan(addPlan(noTurnChanges, grow), again))).toEqual({ '/ws/f': [2, 4, {}] });
    expect(addPlan(noTurnChanges, grow).get('/ws/f')?.first).toEqual(one);
  });

  it('does not change the changes it is given', () => {
    const changes = addPlan(noTurnChanges, grow);
    const before = states(changes);
    addPlan(changes, planned(patchOf('*** Delete File: f'), { f: '22\n' }));
    expect(states(changes)).toEqual(before);
    expect(noTurnChanges.size).toBe(0);
  });

  it('follows a file from its first place to its last', () => {
    const move = (from: string, to: string) =>
      planned(patchOf(`*** Update File: ${from}`, `*** Move to: ${to}`, '@@', ' 1'), { [from]: '1\n' });
    expect(states([move('a', 'b'), move('b', 'c')].reduce(addPlan, noTurnChanges))).toEqual({
      '/ws/a': [2, undefined, { movedTo: '/ws/c' }],
      '/ws/b': [undefined, undefined, { movedTo: '/ws/c' }],
      '/ws/c': [undefined, 2, {}],
    });
  });
});
