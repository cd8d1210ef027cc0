/** The methods that answer later: their requests wait side by side and can be cancelled. */
import { map, type Observable } from 'rxjs';
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { methodTable, router } from '../../protocol/rpc/router';
import { serve } from '../../protocol/rpc/serve';
import { ofKind } from '../../streams/ofKind';
import type { Face } from '../faces/faceOf';
import type { Command } from './command';
import { listen } from './methods/listen';

/**
 * Answers each request once, when its method is done; a cancelled one not at all.
 *   in   l----x    in   l----z      (l subscriptions/listen, x cancel, z end)
 *   out  A-----    out  A----(R|)   (A acknowledged, R the response)
 */
export const serveLater =
  ({ face, log }: { face: Face; log: Log }) =>
  (command$: Observable<Command>): Observable<Outgoing> => {
    const end$ = command$.pipe(ofKind('end'));
    const cancelled$ = command$.pipe(
      ofKind('cancel'),
      map(({ requestId }) => requestId),
    );
    const methodOf = methodTable({ 'subscriptions/listen': listen({ face, end$ }) });
    return command$.pipe(
      ofKind('later'),
      map(({ request }) => request),
      serve({ route: router({ methodOf, log }), cancelled$ }),
    );
  };
