/** Owns showing the daemon's log to a client that asked for it. */

import type { LogRecord } from '../../log';
import { MCP_LOG_LEVELS, type McpLogLevel, type Notification } from '../../protocol';

/** True when a record is at least as grave as the level asked for. */
export const isGrave = ({ level }: LogRecord, asked: McpLogLevel | undefined): boolean =>
  asked !== undefined && MCP_LOG_LEVELS.indexOf(level) >= MCP_LOG_LEVELS.indexOf(asked);

/** Source: server/utilities/logging "Log Message Notifications". */
export const toLogNote = ({ level, message, fields }: LogRecord): Notification => ({
  kind: 'notification',
  method: 'notifications/message',
  params: { level, logger: 'codex-rx', data: { message, ...fields } },
});
