/** A question of the agent as a request for permission, and what the answer to it means. */
import type { PermissionOption, PermissionRequest, ToolCallFields } from '../../protocol/acp/acp';
import type { ReviewDecision, ReviewResult } from '../../protocol/codex/engine';
import type { CodexEvent } from '../../protocol/codex/events';
import { toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Response } from '../../protocol/jsonrpc/messages';
import { labelsOfQuestion, toElicitation } from '../faces/toElicitation';
import { ofChanges, ofCommand, textContent, toTitle } from './toolCalls';

/** The kinds of options, each with the decision that it stands for. `reject_always` also answers the same question from then on. */
const DECISIONS: Readonly<Record<PermissionOption['kind'], ReviewDecision>> = {
  allow_once: 'approved',
  allow_always: 'approved_for_session',
  reject_once: 'denied',
  reject_always: 'denied',
};

/** A question that was asked. */
export type AskedPermission = {
  /** The tool call that it is about, as the agent calls it. */
  callId: string;
  /** Ids of the options; absent for a form. */
  offered?: readonly string[] | undefined;
  /** The same for each question about the same. */
  subject: string;
  /** What asked. */
  event: CodexEvent;
};

/** The id of the tool call that a question is about. A question of an MCP server is about none, and gets an id of its own. */
export const callOf = ({ msg }: CodexEvent, question: number): string =>
  'call_id' in msg ? `${msg.call_id}` : `question-${question}`;

/** The same text for questions about the same command in the same folder, the same changes, or the same request of a server. */
export const subjectOf = ({ msg }: CodexEvent): string => {
  const { call_id: _, reason: __, ...about } = { call_id: '', reason: '', ...msg };
  return JSON.stringify(about);
};

/** What is asked, as a tool call shows it. @param cwd the folder of the session */
export const toAskedTool = ({ msg }: CodexEvent, cwd: string): ToolCallFields => ({
  ...fieldsOf(msg, cwd),
  status: 'pending',
});

const fieldsOf = (msg: CodexEvent['msg'], cwd: string): ToolCallFields => {
  switch (msg.type) {
    case 'exec_approval_request':
      return ofCommand(msg);
    case 'apply_patch_approval_request':
      return ofChanges(msg.changes, cwd);
    case 'elicitation_request':
      return { title: toTitle(`${msg.server_name}: ${msg.message}`), kind: 'other' };
    default:
      return {};
  }
};

type Asked = { sessionId: string; toolCallId: string; event: CodexEvent; cwd: string };

/**
 * The params of the request. What a person reads has no unseen characters. An approval that would cover nothing more is not offered as a lasting one.
 * The tool call is whole, as clients do not look at an earlier update when they ask; diffs come first, as some show a diff only there.
 */
export const toPermissionRequest = ({ sessionId, toolCallId, event, cwd }: Asked): PermissionRequest => {
  const { content = [], ...tool } = toAskedTool(event, cwd);
  const message = wordOf(toElicitation({ capabilities: {} }, event).message);
  return {
    sessionId,
    toolCall: { toolCallId, ...tool, content: [...content, textContent(message)] },
    options: optionsOf(event),
  };
};

const optionsOf = (event: CodexEvent): PermissionOption[] => {
  const [once, always, not] = labelsOfQuestion(event);
  return [
    { optionId: 'allow_once', name: once, kind: 'allow_once' },
    ...(always === undefined ? [] : [{ optionId: 'allow_always', name: always, kind: 'allow_always' } as const]),
    { optionId: 'reject_once', name: not, kind: 'reject_once' },
    { optionId: 'reject_always', name: `${not}, and do not ask again in this session`, kind: 'reject_always' },
  ];
};

/** What a person decided; `isLasting` if the same is to be rejected without a question. */
type PermissionAnswer = { verdict: ReviewResult; isLasting: boolean };

const declined = (reason: string): PermissionAnswer => ({
  verdict: { decision: 'denied', reason },
  isLasting: false,
});

/**
 * Only an option that was offered allows something. `cancelled` stops the turn, as a client sends it when the person has stopped; all else that is no
 * answer rejects what was asked.
 */
export const readPermission = (response: Response, { offered }: { offered: readonly string[] }): PermissionAnswer => {
  if ('error' in response) {
    const { code, message } = response.error;
    return declined(`the client answered the question with error ${code}: ${message}`);
  }
  const { outcome, optionId } = toObject('result' in response ? toObject(response.result).outcome : undefined);
  if (outcome === 'cancelled') return { verdict: { decision: 'abort' }, isLasting: false };
  if (outcome !== 'selected') return declined('the answer of the client could not be understood');
  if (!isKind(optionId) || !offered.includes(optionId))
    return declined('the client chose an option that was not offered');
  return { verdict: { decision: DECISIONS[optionId] }, isLasting: optionId === 'reject_always' };
};

const isKind = (id: unknown): id is PermissionOption['kind'] => typeof id === 'string' && Object.hasOwn(DECISIONS, id);
