import { oncePerTask } from '../../../src/streams/lazy/oncePerTask';

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
