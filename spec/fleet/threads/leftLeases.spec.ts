import { leftLeases } from '../../../src/fleet/threads/lease';

describe('leftLeases', () => {
  it('has what was left until it is forgotten', () => {
    const left = leftLeases();
    expect(left.isLeft('a')).toBe(false);
    left.leave('a');
    left.leave('b');
    left.forget('a');
    left.forget('c');
    expect(['a', 'b', 'c'].map(left.isLeft)).toEqual([false, true, false]);
  });

  it('has the newest of too many', () => {
    const left = leftLeases(2);
    for (const token of ['a', 'b', 'a', 'c']) left.leave(token);
    expect(['a', 'b', 'c'].map(left.isLeft)).toEqual([true, false, true]);
  });
});
