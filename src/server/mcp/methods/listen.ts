/** `subscriptions/listen`. Source: 2026-07-28 basic/patterns/subscriptions. */
import { concat, map, type Observable, of, take } from 'rxjs';
import type { Notification, Request } from '../../../protocol/jsonrpc/messages';
import { META_SUBSCRIPTION } from '../../../protocol/mcp/mcp';
import { toResult } from '../../../protocol/rpc/answerOnce';
import type { Method } from '../../../protocol/rpc/router';
import type { Face } from '../../faces/faceOf';
import { serverMeta } from './method';

/** `end$` emits at the end of the connection. */
export type ListenDeps = { face: Face; end$: Observable<unknown> };

/**
 * Acknowledges the subscription, and answers it at the end of the connection. Nothing that this server lists ever changes,
 * so nothing is agreed to; the stream stays open all the same.
 *   end  ----z
 *   out  A---(R|)    (A acknowledged, R the result)
 */
export const listen =
  ({ face, end$ }: ListenDeps): Method<Request, Notification> =>
  ({ id }) =>
    concat(
      of(toAcknowledgement(id)),
      end$.pipe(
        take(1),
        map(() => toResult({ resultType: 'complete', _meta: { ...serverMeta(face), [META_SUBSCRIPTION]: id } })),
      ),
    );

const toAcknowledgement = (id: Request['id']): Notification => ({
  kind: 'notification',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications: {}, _meta: { [META_SUBSCRIPTION]: id } },
});
