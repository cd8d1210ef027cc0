import { memoize } from '../../../src/streams/lazy/memoize';

describe('memoize', () => {
  it('makes a value for each name, once and at its first use', () => {
    const made: string[] = [];
    const of = memoize((name) => {
      made.push(name);
      return { name };
    });
    expect(made).toEqual([]);
    const [a, b] = [of('a'), of('b')];
    expect(of('a')).toBe(a);
    expect(of('b')).toBe(b);
    expect(b).toEqual({ name: 'b' });
    expect(made).toEqual(['a', 'b']);
  });

  it('tries again after a throw', () => {
    let fails = true;
    const of = memoize((name) => {
      if (fails) throw new Error('no');
      return name;
    });
    expect(() => of('a')).toThrow('no');
    fails = false;
    expect(of('a')).toBe('a');
  });
});
