/** The notification that cancels a request at an MCP server. */
import type { RequestOptions } from '../../protocol/rpc/peer';

/** `notifications/cancelled`. Source: MCP 2025-11-25, Cancellation; `initialize` may not be cancelled. */
export const cancelledNotification: NonNullable<RequestOptions['cancel']> = (requestId, reason) => ({
  kind: 'notification',
  method: 'notifications/cancelled',
  params: { requestId, reason },
});
