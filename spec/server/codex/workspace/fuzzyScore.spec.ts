import fc from 'fast-check';
import { fuzzyScore } from '../../../../src/server/codex/fuzzyFileSearch';

describe('fuzzyScore', () => {
  it('knows no fit where a letter is missing or out of order', () => {
    expect(fuzzyScore('abc')('cba')).toBeUndefined();
    expect(fuzzyScore('a')('')).toBeUndefined();
  });

  it('emits the places of the letters', () => {
    expect(fuzzyScore('mS')('a/myServer.ts')?.indices).toEqual([2, 4]);
    expect(fuzzyScore('MYS')('a/myServer.ts')).toBeUndefined();
    expect(fuzzyScore('mys')('a/MyServer.ts')?.indices).toEqual([2, 3, 4]);
  });

  it('emits places in the path, also behind a capital whose small letter is longer', () => {
    expect(fuzzyScore('main')('İ/main.ts')?.indices).toEqual([2, 3, 4, 5]);
  });

  it.each([
    ['main', 'src/main.ts', 'src/domain.ts'],
    ['main', 'src/main.ts', 'main/x.ts'],
    ['fb', 'foo_bar', 'foobar'],
  ])('%s fits %s better than %s', (query, better, worse) => {
    expect(fuzzyScore(query)(better)?.score).toBeGreaterThan(fuzzyScore(query)(worse)?.score ?? 0);
  });

  it('finds every query whose letters are taken from the path in order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z/]{1,30}$/), fc.infiniteStream(fc.boolean()), (path, picks) => {
        const query = [...path].filter(() => picks.next().value).join('');
        const indices = fuzzyScore(query)(path)?.indices ?? [];
        expect(indices.map((index) => path[index]).join('')).toBe(query);
      }),
    );
  });
});
