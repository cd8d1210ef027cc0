/** What a message of the client leads to: a response at once, an input for the calls, or a change of the connection. */
import type { ConversationMethod } from '../../protocol/codex';
import type { Request, Response } from '../../protocol/jsonrpc';
import type { McpLogLevel } from '../../protocol/mcp';
import type { CallInput } from '../calls';
import type { Stored } from '../codex';
import type { Caller } from './caller';

/** An input for the calls that a client can make, and the end of the connection. */
export type CallCommand = Extract<CallInput<Caller>, { kind: 'begin' | 'resume' | 'answered' | 'cancel' | 'end' }>;

/** A request of a Codex method about conversations; `stored`: the one on disk that it names, see `withStored`. */
export type ConversationCommand = {
  kind: 'conversation';
  request: Request & { method: ConversationMethod };
  stored?: Stored;
};

/**
 * `later` is a request whose method answers later, see serveLater; `codex` one of a Codex method, see serveCodex; `level` sets the level of
 * the log, and `response` confirms it.
 */
export type Command =
  | Response
  | CallCommand
  | { kind: 'later'; request: Request }
  | { kind: 'codex'; request: Request }
  | ConversationCommand
  | { kind: 'level'; level: McpLogLevel; response: Response };
