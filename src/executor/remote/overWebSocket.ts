/** The connection to an exec-server that listens for WebSockets. */
import { catchError, map, type OperatorFunction, throwError } from 'rxjs';
import { maskAddress } from '../../io/log/maskAddress';
import { decodeExecMessage, encodeExecMessage } from '../../protocol/exec/codec';
import type { ExecTransport } from './execTransport';
import { NotListening } from './notListening';

/** The socket of the server. */
export type OverWebSocketDeps = {
  /** Opens a socket for each subscription; one text is one message. */
  dial: OperatorFunction<string, string>;
  /** The address, for errors. */
  url: string;
};

/** Speaks over a WebSocket. Errors when it cannot be opened; with NotListening if nobody listens at the address. */
export const overWebSocket =
  ({ dial, url }: OverWebSocketDeps): ExecTransport =>
  (out$) =>
    out$.pipe(
      map(encodeExecMessage),
      dial,
      map(decodeExecMessage),
      catchError((error) => throwError(() => explained(url, error))),
    );

const explained = (url: string, error: unknown): unknown => {
  const { code, message = '' }: Partial<NodeJS.ErrnoException> = Object(error);
  if (code === 'ECONNREFUSED') return new NotListening(`${message}: ${START} ${maskAddress(url)}`);
  return /Unexpected server response: 401$/.test(message) ? new Error(`${message}: ${TOKEN}`) : error;
};

const START = 'nobody listens there; on that machine start codex-rx exec-server --listen';
const TOKEN = 'it expects another token; name the variable that has it in bearer_token_env_var of the environment';
