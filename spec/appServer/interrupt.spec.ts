import { type Observable, throwError } from 'rxjs';
import { interrupt } from '../../src/appServer/interrupt';
import type { Link } from '../../src/appServer/link';
import { type JsonObject, RpcError } from '../../src/protocol/jsonrpc';
import { marbles } from '../support/marbles';

describe('interrupt', () => {
  const linkOf = (ask: () => Observable<JsonObject>) => ({ ask }) as unknown as Link;

  it(
    'gives up waiting for the end of the turn after three seconds',
    marbles(({ cold, expectObservable }) => {
      const link = linkOf(() => cold('5ms (a|)', { a: {} }));
      expectObservable(interrupt(link, 't', () => 'u', 'over')).toBe('3s (o|)', { o: 'over' });
    }),
  );

  it(
    'asks again while the server knows no turn to stop',
    marbles(({ cold, expectObservable, flush }) => {
      let asked = 0;
      const link = linkOf(() => {
        asked += 1;
        return asked < 4 ? throwError(() => new RpcError(-32600, 'no active turn')) : cold('(a|)', { a: {} });
      });
      expectObservable(interrupt(link, 't', () => 'u', 'over')).toBe('3s (o|)', { o: 'over' });
      flush();
      expect(asked).toBe(4);
    }),
  );

  it(
    'goes on asking no longer than it waits',
    marbles(({ expectObservable, flush }) => {
      let asked = 0;
      const link = linkOf(() => {
        asked += 1;
        return throwError(() => new RpcError(-32600, 'no active turn'));
      });
      expectObservable(interrupt(link, 't', () => undefined, 'over')).toBe('3s (o|)', { o: 'over' });
      flush();
      expect(asked).toBe(30);
    }),
  );
});
