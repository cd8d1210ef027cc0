import { newest } from '../../../src/executor/listen/openSessions';

describe('newest', () => {
  it('makes one for equal inputs, and forgets the one that was not used for longest', () => {
    const made: string[] = [];
    const find = newest(2, ({ name }: { name: string }) => made.push(name));
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map((name) => find({ name }))).toEqual([1, 2, 1, 3, 1, 4]);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });
});
