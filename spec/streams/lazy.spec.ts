import { lazy, memoize, oncePerTask } from '../../src/streams/lazy';

describe('lazy', () => {
  it('makes its value at the first call, and once', () => {
    const make = jest.fn(() => ({}));
    const get = lazy(make);
    expect(make).not.toHaveBeenCalled();
    expect(get()).toBe(get());
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("keeps '' as well", () => {
    const make = jest.fn(() => '');
    const get = lazy(make);
    expect([get(), get()]).toEqual(['', '']);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('tries again after a throw', () => {
    const make = jest
      .fn(() => 'made')
      .mockImplementationOnce(() => {
        throw new Error('not yet');
      });
    const get = lazy(make);
    expect(get).toThrow('not yet');
    expect(get()).toBe('made');
  });
});

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

/** Looks that are counted, and the end of the current task. */
const counted = (keyOf?: (input: { name: string }) => string) => {
  const looked: string[] = [];
  const ends: (() => void)[] = [];
  const look = ({ name }: { name: string }) => {
    if (name === 'gone') throw new Error('gone');
    return looked.push(name) > 0 ? { name } : undefined;
  };
  return { looked, ends, of: oncePerTask({ afterTask: (run) => void ends.push(run) }, look, keyOf) };
};

describe('oncePerTask', () => {
  it('looks once for each input of a task, and again in the next one', () => {
    const { of, looked, ends } = counted();
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    const first = of(a);
    expect(of(a)).toBe(first);
    of(b);
    expect(looked).toEqual(['a', 'b']);
    expect(ends).toHaveLength(1);
    ends.pop()?.();
    expect(of(a)).not.toBe(first);
    expect(looked).toEqual(['a', 'b', 'a']);
    expect(ends).toHaveLength(1);
  });

  it('compares inputs by their keys', () => {
    const { of, looked } = counted(({ name }) => name);
    expect(of({ name: 'a' })).toBe(of({ name: 'a' }));
    expect(looked).toEqual(['a']);
  });

  it('remembers undefined', () => {
    const look = jest.fn(() => undefined);
    const of = oncePerTask({ afterTask: () => {} }, look);
    expect([of(1), of(1)]).toEqual([undefined, undefined]);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('looks again after a throw', () => {
    const { of, ends } = counted();
    const gone = { name: 'gone' };
    expect(() => of(gone)).toThrow('gone');
    gone.name = 'a';
    expect(of(gone)).toEqual({ name: 'a' });
    expect(ends).toHaveLength(1);
  });
});
