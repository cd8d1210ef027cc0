/** The questions of an app-server: what a person is asked, and what the server gets as its response. */
import type { ReviewDecision, ReviewResult } from '../../../protocol/codex/engine';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Request } from '../../../protocol/jsonrpc/messages';
import { toVisible } from '../../../streams/text/visible';
import { AnyObject, CommandApprovalParams, ElicitationParams, type Item, PatchApprovalParams, read } from '../shapes';
import { changesOf, commandOf } from './items';

export type Question = {
  /** The question as an event. */
  msg: EventMsg;
  /** Names the action, for a person. */
  subject: string;
  /** The item that begins on approval, '' if none does. */
  itemId: string;
  /** Set for a question of an MCP server of its own: Codex keeps approvals of tools only. */
  covers?: 'once';
  /** The question has fields, and filling them in is the decision. */
  isForm: boolean;
  /** Makes the result of the server's request. */
  toResult: (review: ReviewResult) => JsonObject;
};

/** The items that are open, by id. */
type Items = { items: ReadonlyMap<string, { item: Item }> };
type ToQuestion = (state: Items, params: unknown) => Question;

/** The reason in one line: the model may have chosen it, and no line of it may look like a question of its own. */
const reasonOf = ({ reason }: { reason: string }) => (reason === '' ? {} : { reason: toVisible(reason) });

const ofCommand: ToQuestion = ({ items }, params) => {
  const { itemId, ...request } = read(CommandApprovalParams, params);
  const item = items.get(itemId)?.item;
  const command = request.command || (item?.command ?? '');
  const msg = {
    type: 'exec_approval_request' as const,
    call_id: itemId,
    command: commandOf({ command }),
    cwd: request.cwd || (item?.cwd ?? ''),
    ...reasonOf(request),
  };
  return { msg, subject: `\`${command}\``, itemId, isForm: false, toResult: toDecision };
};

/** The request refers to its patch by an item that began before. */
const ofPatch: ToQuestion = ({ items }, params) => {
  const { itemId, grantRoot, ...request } = read(PatchApprovalParams, params);
  const changes = changesOf(items.get(itemId)?.item ?? { changes: [] });
  const msg = {
    type: 'apply_patch_approval_request' as const,
    call_id: itemId,
    changes,
    ...reasonOf(request),
    ...(grantRoot && { grant_root: grantRoot }),
  };
  const files = Object.keys(changes).join(', ') || 'files';
  return { msg, subject: `changes to ${files}`, itemId, isForm: false, toResult: toDecision };
};

/** A question of an MCP server that Codex started: a form, or Codex's own question whether one of its tools may be called. */
const ofElicitation: ToQuestion = (_, params) => {
  const { serverName: server_name, url, requestedSchema, _meta, ...request } = read(ElicitationParams, params);
  const message = [request.message, url].filter(Boolean).join('\n');
  const hasFields = Object.keys(read(AnyObject, requestedSchema.properties)).length > 0;
  const isOwn = _meta.codex_approval_kind === undefined;
  const isForm = isOwn && url === '' && hasFields;
  const msg = {
    type: 'elicitation_request' as const,
    server_name,
    message,
    ...(isForm && { requested_schema: requestedSchema }),
  };
  const subject = `${server_name}: ${message}`;
  const toResult = isForm ? toFields : isOwn ? toAnswer : toConsent;
  return { msg, subject, itemId: '', isForm, ...(isOwn && { covers: 'once' }), toResult };
};

const QUESTIONS: Record<string, ToQuestion> = {
  'item/commandExecution/requestApproval': ofCommand,
  'item/fileChange/requestApproval': ofPatch,
  'mcpServer/elicitation/request': ofElicitation,
};

/** True for a request that a person can answer. */
export const isQuestion = ({ method }: Request): boolean => Object.hasOwn(QUESTIONS, method);

/** The question of a request for which `isQuestion` is true. */
export const toQuestion = (state: Items, { method, params }: Request): Question =>
  (QUESTIONS[method] as ToQuestion)(state, params);

/** The result if there is nobody to ask. Source: codex app-server 0.142.0 to 0.169.0; none of these hangs after it. */
export const declinedResult = ({ method }: Request): JsonObject =>
  method === 'mcpServer/elicitation/request' ? { action: 'decline', content: null } : { decision: 'decline' };

const DECISION: Record<ReviewDecision, string> = {
  approved: 'accept',
  approved_for_session: 'acceptForSession',
  denied: 'decline',
  abort: 'cancel',
};

const toDecision = ({ decision }: ReviewResult): JsonObject => ({ decision: DECISION[decision] });

const ACTION: Record<ReviewDecision, string> = {
  approved: 'accept',
  approved_for_session: 'accept',
  denied: 'decline',
  abort: 'cancel',
};

const toAnswer = ({ decision }: ReviewResult): JsonObject => {
  const action = ACTION[decision];
  return { action, content: action === 'accept' ? {} : null };
};

const toConsent = (review: ReviewResult): JsonObject => ({
  ...toAnswer(review),
  ...(review.decision === 'approved_for_session' && { _meta: { persist: 'session' } }),
});

const toFields = ({ decision, form }: ReviewResult): JsonObject => {
  if (form !== undefined) return { action: 'accept', content: form };
  return { action: decision === 'abort' ? 'cancel' : 'decline', content: null };
};
