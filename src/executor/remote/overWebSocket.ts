/** The connection to an exec-server that listens for WebSockets. */
import { map, type OperatorFunction } from 'rxjs';
import { decodeExecMessage, encodeExecMessage } from '../../protocol/exec';
import type { ExecTransport } from './execTransport';

/** @param dial one message a piece of text; a socket for each subscription */
export type OverWebSocketDeps = { dial: OperatorFunction<string, string> };

/** Speaks over a WebSocket. Errors when it could not be made. */
export const overWebSocket =
  ({ dial }: OverWebSocketDeps): ExecTransport =>
  (out$) =>
    out$.pipe(map(encodeExecMessage), dial, map(decodeExecMessage));
