import fc from 'fast-check';
import { merge } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { fuzzyFileSearch, fuzzyScore } from '../../../src/server/codex/fuzzyFileSearch';
import { asked, hostWith } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const files = ['main.ts', 'domain.ts', 'other.ts'];

const found = (name: string, score: number, indices: number[]) => ({
  root: '/r',
  path: name,
  match_type: 'file',
  file_name: name,
  score,
  indices,
});

const results = {
  R: {
    kind: 'result',
    result: { files: [found('main.ts', 112, [0, 1, 2, 3]), found('domain.ts', 104, [2, 3, 4, 5])] },
  },
  E: { kind: 'result', result: { files: [] } },
};

const search = (params: object) => asked('fuzzyFileSearch', { query: 'main', roots: ['/r'], ...params });

describe('fuzzyFileSearch', () => {
  it(
    'answers with the best files first',
    marbles(({ cold, expectObservable }) => {
      const run = fuzzyFileSearch(hostWith({ files: () => cold('--(f|)', { f: files }) }));
      expectObservable(run(search({}))).toBe('--(R|)', results);
    }),
  );

  it(
    'ends an older search with the same token',
    marbles(({ cold, hot, expectObservable }) => {
      const run = fuzzyFileSearch(hostWith({ files: () => cold('-----(f|)', { f: files }) }));
      const first$ = run(search({ cancellationToken: 't' }));
      hot('--s').subscribe(() => run(search({ cancellationToken: 't' })));
      expectObservable(merge(first$)).toBe('--(E|)', results);
    }),
  );

  it(
    'answers after ten seconds with what it has found',
    marbles(({ cold, expectObservable }) => {
      const run = fuzzyFileSearch(hostWith({ files: () => cold('--f', { f: files }) }));
      expectObservable(run(search({}))).toBe('10s (R|)', results);
    }),
  );

  it(
    'reads four roots at once',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const files$ = cold('--(f|)', { f: [] });
      const run = fuzzyFileSearch(hostWith({ files: () => files$ }));
      expectObservable(run(search({ roots: Array(9).fill('/r') }))).toBe('------(E|)', results);
      const [first, second] = [Array(4).fill('^-!'), Array(4).fill('--^-!')];
      expectSubscriptions(files$.subscriptions).toBe([...first, ...second, '----^-!']);
    }),
  );

  it('names the field that is wrong', () => {
    const run = fuzzyFileSearch(hostWith());
    expect(() => run(search({ roots: 'x' }))).toThrow(
      new RpcError(-32602, 'Invalid params: params.roots must be a list, not a string'),
    );
  });
});

describe('fuzzyScore', () => {
  it('knows no fit if a letter is missing or out of order', () => {
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
