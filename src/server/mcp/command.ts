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

/** A request of a Codex method about conversations. */
export type ConversationCommand = {
  kind: 'conversation';
  request: Request & { method: ConversationMethod };
  /** The stored conversation that it names, see `withStored`. */
  stored?: Stored;
};

/** What a message of the client leads to. */
export type Command =
  | Response
  | CallCommand
  /** The method answers later, see serveLater. */
  | { kind: 'later'; request: Request }
  /** A Codex method, see serveCodex. */
  | { kind: 'codex'; request: Request }
  | ConversationCommand
  /** Sets the level of the log; `response` confirms it. */
  | { kind: 'level'; level: McpLogLevel; response: Response };
