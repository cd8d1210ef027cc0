/** What all methods share; and what a message of the client leads to: a response at once, an input for the calls, or a change of the connection. */
import type { ConversationMethod } from '../../../protocol/codex/methodNames';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Request, Response } from '../../../protocol/jsonrpc/messages';
import type { Log } from '../../../protocol/log';
import { type McpLogLevel, META_SERVER_INFO } from '../../../protocol/mcp/mcp';
import type { CallInput } from '../../calls/step';
import type { Stored } from '../../conversations/receiveRequest';
import type { Era } from '../../faces/clientInfo';
import type { Face } from '../../faces/faceOf';
import type { ToolOffer } from '../../faces/tools';
import type { TaskMessage } from '../../tasks/taskFiles';
import type { CallTasks } from '../../tasks/taskStore';
import type { Caller, McpCall } from '../caller';
import type { Library } from '../library';
import type { Asked } from '../readAnswers';
import type { Sealer } from './requestState';

/** What a client can send for its calls, and the end of the connection. Answers are as the client gave them, see `withVerdicts`. */
export type CallCommand =
  | Extract<CallInput<Caller>, { kind: 'begin' | 'pause' | 'wait' | 'cancel' | 'leave' | 'end' }>
  | { kind: 'answered'; question: number; response: Response }
  | { kind: 'resume'; call: McpCall; responses: JsonObject; asked: Asked };

/** What changes a task of this process; `response` confirms it, if a client of this process asked. */
export type TaskCommand = { kind: 'taskDue'; taskId: string } | (TaskMessage & { response?: Response });

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
  | TaskCommand
  /** Sets the level of the log; `response` confirms it. */
  | { kind: 'level'; level: McpLogLevel; response: Response };

export type MethodDeps = {
  face: Face;
  sealer: Sealer;
  newCallId: () => string;
  log: Log;
  instructions: string;
  /** Milliseconds since some moment; never jumps. */
  workMs: () => number;
  tasks?: CallTasks;
  /** Absent for a face of an old release. */
  library?: () => Library;
  /** Which tools are offered besides `codex` and `codex-reply`; by default none. */
  offer?: ToolOffer;
};

/** The command that a request leads to; throws RpcError for a fault of the client. */
export type Method = (request: Request, era: Era) => Command;

/** Methods by name. */
export type MethodOf = (name: string) => Method | undefined;

/** The answer to a request, from ready-made text. */
export const reply = ({ id, batch }: Request, json: string): Response => ({ kind: 'response', id, batch, json });

/** What every modern result carries. */
export const serverMeta = (face: Face): JsonObject => ({ [META_SERVER_INFO]: face.serverInfo });

/** A call that failed before it began, as its result. */
export const toFailure = (
  { face }: MethodDeps,
  { id, batch, era }: Pick<Caller, 'id' | 'batch' | 'era'>,
  text: string,
): Command => {
  const result = { content: [{ type: 'text', text }], isError: true };
  const whole = era.modern ? { resultType: 'complete', _meta: serverMeta(face), ...result } : result;
  return { kind: 'response', id, batch, result: whole };
};

/** True for what may be an id or a progress token. */
export const isToken = (token: unknown): token is string | number | bigint =>
  typeof token === 'string' || typeof token === 'number' || typeof token === 'bigint';
