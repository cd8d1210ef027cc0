import { counter } from '../../src/streams/counter';

describe('counter', () => {
  it('gives 1, 2, 3 and so on, each counter its own', () => {
    const [first, second] = [counter(), counter()];
    expect([first(), first(), second(), first()]).toEqual([1, 2, 1, 3]);
  });

  it('begins with the first it is given', () => {
    const next = counter(0);
    expect([next(), next()]).toEqual([0, 1]);
  });
});
