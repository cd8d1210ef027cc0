/** The error response that a failed method leads to. */
import { clip } from '../../streams/text/trim';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError, type RpcErrorObject, toErrorObject } from '../jsonrpc/messages';
import type { Log } from '../log';
import type { Outcome } from './messages';

type FailureDeps = {
  log: Log;
  /** The text of a bug for the client. Default: `Internal error` for all. */
  textOf?: (bug: unknown) => string;
};

/**
 * An RpcError becomes the error of the response. A part of the program that an update has replaced is answered -32603 with its text, which names the
 * remedy; all else is a bug, which is logged with its stack and answered -32603.
 */
export const failureOutcome = ({ log, textOf = () => 'Internal error' }: FailureDeps) => {
  const report = reportBug(log);
  return (error: unknown): Extract<Outcome, { error: unknown }> => {
    if (error instanceof RpcError) return { error: toBounded(error) };
    const { code, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : ({} as Partial<NodeJS.ErrnoException>);
    if (code === 'ERR_PROGRAM_REPLACED') return { error: { code: INTERNAL_ERROR, message: `${message}` } };
    report(error);
    return { error: { code: INTERNAL_ERROR, message: textOf(error) } };
  };
};

/** Logs a bug with its stack. */
export const reportBug =
  (log: Log) =>
  (bug: unknown): void =>
    log('error', 'a request failed because of a bug', { stack: bug instanceof Error ? bug.stack : String(bug) });

/** A message is a concise sentence, whatever the request that it quotes. Source: JSON-RPC 2.0 section 5.1. */
const MAX_MESSAGE_CHARS = 1_000;

const toBounded = (error: RpcError): RpcErrorObject => ({
  ...toErrorObject(error),
  message: clip(error.message, MAX_MESSAGE_CHARS),
});

/** The first 200 characters of a name that is not known; an error sends no more of it back. */
export const clipName = (name: string): string => clip(name, 200);

/** The error of a request whose method is not known. */
export const unknownMethod = (name: string): RpcError => {
  const method = clipName(name);
  return new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`, { method });
};
