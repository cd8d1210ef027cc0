/** What rules read of a session. */
import { firstTwice, messagesOf, toObserved } from '../../../src/testing/conform/observed';

describe('a session', () => {
  it('has the values of each side, parsed once for all rules', () => {
    const observed = toObserved({
      revision: '2025-11-25',
      declared: {},
      lines: [
        { t: 0, dir: 'in', line: '{"id":1}' },
        { t: 1, dir: 'out', line: '[{"id":1},{"id":2}]' },
        { t: 2, dir: 'err', line: '{"id":3}' },
        { t: 3, dir: 'out', line: 'no JSON' },
      ],
    });
    expect(observed.values('out')).toEqual([{ id: 1 }, { id: 2 }, undefined]);
    expect(observed.values('out')).toBe(observed.values('out'));
    expect(messagesOf(observed, 'in')).toEqual([{ id: 1 }]);
  });
});

describe('firstTwice', () => {
  it('finds what is there twice, the first first', () => {
    expect(firstTwice(['a', 'b', 'c', 'b', 'a'])).toBe('b');
    expect(firstTwice(['a', 'b'])).toBeUndefined();
    expect(firstTwice([])).toBeUndefined();
  });
});
