import { openBatch } from '../../src/streams/openBatch';

describe('openBatch', () => {
  it('returns a batch with the item that opens it, and takes more until its sizes reach the limit', () => {
    const { add } = openBatch<string>({ sizeOf: (item) => item.length, limit: 3 });
    const batch = add('a');
    expect([add('b'), add('cc')]).toEqual([undefined, undefined]);
    expect(batch).toEqual(['a', 'b', 'cc']);
    expect(add('d')).toEqual(['d']);
  });

  it('takes no more into a batch that is closed', () => {
    const { add, close } = openBatch<string>({ sizeOf: () => 1, limit: 9 });
    const first = add('a') ?? [];
    close(first);
    const second = add('b') ?? [];
    close(first);
    add('c');
    expect([first, second]).toEqual([['a'], ['b', 'c']]);
  });
});
