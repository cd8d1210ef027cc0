/** Owns the questions an app-server puts: what a person is asked, and what the server is answered. */
import type { EventMsg, ReviewDecision, ReviewResult } from '../protocol/codex';
import type { JsonObject, Request } from '../protocol/jsonrpc';
import type { Heard } from './heard';
import { changesOf, commandOf } from './items';
import { objectOf, textOf } from './wire';

/**
 * `what` names it in words, for when it was not done; `answer` is the result that the server gets. `isForm`: fields are asked
 * for, and whoever fills them in has answered.
 */
export type Question = { msg: EventMsg; what: string; isForm: boolean; answer: (verdict: ReviewResult) => JsonObject };

type ToQuestion = (heard: Heard, params: JsonObject) => Question;

const reasonOf = ({ reason }: JsonObject) => (textOf(reason) ? { reason: textOf(reason) } : {});

const command: ToQuestion = (heard, params) => {
  const call_id = textOf(params.itemId);
  const asked = { ...heard.open.get(call_id), ...params };
  const msg = {
    type: 'exec_approval_request' as const,
    call_id,
    command: commandOf(asked),
    cwd: textOf(asked.cwd),
    ...reasonOf(params),
  };
  return { msg, what: `\`${textOf(asked.command)}\``, isForm: false, answer: decide };
};

/** The request names its patch by the item that began before. */
const patch: ToQuestion = (heard, params) => {
  const call_id = textOf(params.itemId);
  const changes = changesOf(heard.open.get(call_id) ?? {});
  const grant = textOf(params.grantRoot);
  const msg = {
    type: 'apply_patch_approval_request' as const,
    call_id,
    changes,
    ...reasonOf(params),
    ...(grant && { grant_root: grant }),
  };
  heard.asked.add(call_id);
  return { msg, what: `changes to ${Object.keys(changes).join(', ') || 'files'}`, isForm: false, answer: decide };
};

/** Of an MCP server of the engine: a form of its own, or the engine's question whether one of its tools may be called. */
const elicitation: ToQuestion = (_, params) => {
  const isApproval = objectOf(params._meta).codex_approval_kind !== undefined;
  const server_name = textOf(params.serverName);
  const url = textOf(params.url);
  const message = [textOf(params.message), url].filter(Boolean).join('\n');
  const isForm =
    !isApproval && url === '' && Object.keys(objectOf(objectOf(params.requestedSchema).properties)).length > 0;
  const msg = {
    type: 'elicitation_request' as const,
    server_name,
    message,
    ...(isForm && { requested_schema: objectOf(params.requestedSchema) }),
  };
  return { msg, what: `${server_name}: ${message}`, isForm, answer: isForm ? fill : agree };
};

const QUESTIONS: Record<string, ToQuestion> = {
  'item/commandExecution/requestApproval': command,
  'item/fileChange/requestApproval': patch,
  'mcpServer/elicitation/request': elicitation,
};

/** True for a request that a person can answer. */
export const isQuestion = ({ method }: Request): boolean => Object.hasOwn(QUESTIONS, method);

/** The question behind a request that isQuestion. */
export const toQuestion = (heard: Heard, { method, params }: Request): Question =>
  (QUESTIONS[method] as ToQuestion)(heard, params);

/** What is answered when nobody is there to ask. Source: codex app-server 0.142.0 to 0.169.0; nothing hangs on it. */
export const declineOf = ({ method }: Request): JsonObject =>
  method === 'mcpServer/elicitation/request' ? { action: 'decline', content: null } : { decision: 'decline' };

const DECISION: Record<ReviewDecision, string> = {
  approved: 'accept',
  approved_for_session: 'acceptForSession',
  denied: 'decline',
  abort: 'cancel',
};

const decide = ({ decision }: ReviewResult): JsonObject => ({ decision: DECISION[decision] });

const ACTION: Record<ReviewDecision, string> = {
  approved: 'accept',
  approved_for_session: 'accept',
  denied: 'decline',
  abort: 'cancel',
};

const agree = ({ decision }: ReviewResult): JsonObject => {
  const action = ACTION[decision];
  const lasting = decision === 'approved_for_session' ? { _meta: { persist: 'session' } } : {};
  return { action, content: action === 'accept' ? {} : null, ...lasting };
};

const fill = ({ decision, form }: ReviewResult): JsonObject => {
  if (form !== undefined) return { action: 'accept', content: form };
  return { action: decision === 'abort' ? 'cancel' : 'decline', content: null };
};
