/** What a message of the client leads to: a response at once, an input for the calls, or a change of the connection. */
import type { ConversationMethod } from '../../protocol/codex/methodNames';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Request, Response } from '../../protocol/jsonrpc/messages';
import type { McpLogLevel } from '../../protocol/mcp/mcp';
import type { CallInput } from '../calls/step';
import type { Stored } from '../conversations/receiveRequest';
import type { Caller, McpCall } from './caller';
import type { Asked } from './readAnswers';

/** What a client can send for its calls, and the end of the connection. Answers are as the client gave them, see `withVerdicts`. */
export type CallCommand =
  | Extract<CallInput<Caller>, { kind: 'begin' | 'cancel' | 'end' }>
  | { kind: 'answered'; question: number; response: Response }
  | { kind: 'resume'; call: McpCall; responses: JsonObject; asked: Asked };

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
