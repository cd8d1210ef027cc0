import { counter } from '../../src/rpc';

describe('counter', () => {
  it('gives 1, 2, 3 and so on, each counter its own', () => {
    const [first, second] = [counter(), counter()];
    expect([first(), first(), second(), first()]).toEqual([1, 2, 1, 3]);
  });
});
