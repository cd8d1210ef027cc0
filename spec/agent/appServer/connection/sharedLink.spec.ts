import { type Observable, of } from 'rxjs';
import { sharedLink } from '../../../../src/agent/appServer/codexPlaces';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import type { RpcIncoming, RpcOutgoing } from '../../../../src/protocol/rpc/messages';
import { marbles } from '../../../support/marbles';
import { transportOf } from '../../../support/transport';

const incoming: Record<string, RpcIncoming<JsonObject>> = { I: { kind: 'response', id: 1, result: {} } };
const L = { L: expect.anything() };
const linkTo = (server$: Observable<RpcIncoming<JsonObject>>) =>
  sharedLink({ transport: transportOf<RpcIncoming<JsonObject>, RpcOutgoing>(server$).transport, version: '0' });

describe('sharedLink', () => {
  it(
    'starts one server for all, and gives later subscribers the same',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const server$ = cold(' --I-------', incoming);
      const link$ = linkTo(server$);
      expectObservable(link$, '   ^----!').toBe('--L', L);
      expectObservable(link$, '   ----^---!').toBe('----L', L);
      expectSubscriptions(server$.subscriptions).toBe('^ 1007ms !');
    }),
  );

  it(
    'keeps a server a second for who comes next',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const server$ = cold('I-------', incoming);
      const link$ = linkTo(server$);
      expectObservable(link$, '^-!').toBe('L', L);
      expectObservable(link$, '900ms ^!').toBe('900ms L', L);
      expectSubscriptions(server$.subscriptions).toBe('^ 1900ms !');
    }),
  );

  it(
    'keeps none for an engine that is over',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const server$ = cold(' I-------', incoming);
      const over$ = hot('    ----o');
      const link$ = sharedLink({
        transport: transportOf<RpcIncoming<JsonObject>, RpcOutgoing>(server$).transport,
        version: '0',
        over$,
      });
      expectObservable(link$, '^-!').toBe('L', L);
      expectSubscriptions(server$.subscriptions).toBe('^---!');
    }),
  );

  it(
    'starts another after one that died',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const server$ = cold('I--#', incoming);
      const link$ = linkTo(server$);
      expectObservable(link$).toBe('L--#', L);
      expectObservable(link$, '-----^').toBe('-----L--#', L);
      expectSubscriptions(server$.subscriptions).toBe(['^--!', '-----^--!']);
    }),
  );

  it(
    'starts none where nobody asks',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const server$ = cold<RpcIncoming<JsonObject>>('I');
      linkTo(server$);
      expectObservable(of(1)).toBe('(a|)', { a: 1 });
      expectSubscriptions(server$.subscriptions).toBe([]);
    }),
  );
});
