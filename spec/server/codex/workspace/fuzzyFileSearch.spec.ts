import { merge } from 'rxjs';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { fuzzyFileSearch } from '../../../../src/server/codex/fuzzyFileSearch';
import { asked, hostWith } from '../../../protocol/methods/host';
import { marbles } from '../../../support/marbles';

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

  it('names the field that is wrong', () => {
    const run = fuzzyFileSearch(hostWith());
    expect(() => run(search({ roots: 'x' }))).toThrow(
      new RpcError(-32602, 'Invalid params: params.roots must be a list, not a string'),
    );
  });
});
