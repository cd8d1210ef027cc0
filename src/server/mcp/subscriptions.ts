/** Owns the streams of `subscriptions/listen`. Source: 2026-07-28 basic/patterns/subscriptions. */
import { META_SUBSCRIPTION, type Outgoing, type RequestId } from '../../protocol';
import type { Face } from './faces';
import { serverMeta } from './method';

/** Nothing this server lists ever changes, so nothing is agreed to; the stream stays open all the same. */
export const acknowledge = (id: RequestId): Outgoing => ({
  kind: 'notification',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications: {}, _meta: { [META_SUBSCRIPTION]: id } },
});

/** The answer that ends a stream from our side. */
export const closing = (face: Face, id: RequestId): Outgoing => ({
  kind: 'response',
  id,
  result: { resultType: 'complete', _meta: { ...serverMeta(face), [META_SUBSCRIPTION]: id } },
});
