/** What every method of a client is: its step, and what it needs. */
import type { Request } from '../../protocol/jsonrpc/messages';
import { RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { notFound } from './opening';
import { type Connection, type Session, sessionOf, type WithInputs } from './session';

/** What the methods need. */
export type AcpDeps = {
  newCallId: () => string;
  /** Never returns the same id twice, nor one of a question of the agent. */
  newQuestionId: () => number;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The version of this program. */
  version: string;
};

/** The step of a request. Throws RpcError for a fault of the client. */
export type Method = (deps: AcpDeps, state: Connection, request: Request) => WithInputs;

/** The session of this id. Throws RpcError if it is not open. */
export const opened = (state: Connection, sessionId: string): Session => {
  const session = sessionOf(state, sessionId);
  if (session !== undefined && !session.isClosing) return session;
  const { code, message, data } = notFound(sessionId);
  throw new RpcError(code, message, data);
};
