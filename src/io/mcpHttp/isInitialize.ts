/** The lines of the handshake of MCP. */
import { parseLine } from '../../protocol/jsonrpc/parseLine';

/** Whether a line begins a session. */
export const isInitialize = (line: string): boolean =>
  parseLine(line).messages.some((message) => message.kind === 'request' && message.method === 'initialize');

/** Whether a line reports that the client is ready, which ends the handshake. */
export const isInitialized = (line: string): boolean =>
  parseLine(line).messages.some(
    (message) => message.kind === 'notification' && message.method === 'notifications/initialized',
  );
