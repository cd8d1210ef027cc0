import { EMPTY, of } from 'rxjs';
import { listTools } from '../../../src/agent/toolServers/listTools';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../support/marbles';

const info = (name: string, own: object = {}) => ({
  name,
  description: '',
  inputSchema: undefined,
  isReadOnly: false,
  ...own,
});

describe('listTools', () => {
  it(
    'emits the tools of all pages once',
    marbles(({ cold, expectObservable, flush }) => {
      const asked: unknown[] = [];
      const pages: Record<string, object> = {
        '': {
          tools: [{ name: 'a', description: 'A', inputSchema: { b: 1 }, annotations: { readOnlyHint: true } }],
          nextCursor: 'c',
        },
        c: { tools: [{ name: 'b', description: 7, annotations: { readOnlyHint: 'yes' } }] },
      };
      const request = (method: string, given: unknown) => {
        const params = given as Record<string, unknown>;
        asked.push([method, params]);
        return cold('-(p|)', { p: pages[String(params.cursor ?? '')] });
      };
      expectObservable(listTools({ request })).toBe('--(t|)', {
        t: [info('a', { description: 'A', inputSchema: { b: 1 }, isReadOnly: true }), info('b')],
      });
      flush();
      expect(asked).toEqual([
        ['tools/list', {}],
        ['tools/list', { cursor: 'c' }],
      ]);
    }),
  );

  it.each([[null], ['tools'], [{}], [{ tools: {} }], [{ tools: [null, 7, {}, { name: '' }, { name: 1 }] }]])(
    'takes %j for no tools',
    (page) =>
      marbles(({ expectObservable }) => {
        expectObservable(listTools({ request: () => of(page) })).toBe('(t|)', { t: [] });
      })(),
  );

  it(
    'reads a hundred pages at most',
    marbles(({ expectObservable }) => {
      const request = () => of({ tools: [{ name: 'a' }], nextCursor: 'on' });
      expectObservable(listTools({ request })).toBe('(t|)', { t: Array.from({ length: 100 }, () => info('a')) });
    }),
  );

  it(
    'errors with the peer, and waits for a page',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const error = new RpcError(1, 'no');
      expectObservable(listTools({ request: () => cold('-#', {}, error) })).toBe('-#', {}, error);
      const page$ = cold('-');
      expectObservable(listTools({ request: () => page$ }), '^-!').toBe('-');
      expectSubscriptions(page$.subscriptions).toBe('^-!');
      expectObservable(listTools({ request: () => EMPTY })).toBe('(t|)', { t: [] });
    }),
  );
});
