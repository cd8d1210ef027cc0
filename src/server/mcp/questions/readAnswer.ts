/** Reading the answer to a question: a decision, or the fields of a form. */
import { DECISIONS, type ReviewDecision, type ReviewResult } from '../../../protocol/codex';
import { isObject, type JsonObject, type Response } from '../../../protocol/jsonrpc';

const NOT_UNDERSTOOD = 'the answer of the client could not be understood';
const CONTRADICTORY = 'the answer of the client contradicts itself';
const DISMISSED = 'the question was dismissed';

/** An answer whose members are known: its `decision`, its `action`, the `decision` in its content, the content. */
type Members = { own?: ReviewDecision; action?: Action; chosen?: ReviewDecision; content?: JsonObject };

const ACTIONS = ['accept', 'decline', 'cancel'] as const;
type Action = (typeof ACTIONS)[number];

const isDecision = (value: unknown): value is ReviewDecision => DECISIONS.some((decision) => decision === value);
const isAction = (value: unknown): value is Action => ACTIONS.some((action) => action === value);

const declined = (reason: string): ReviewResult => ({ decision: 'denied', reason });

/**
 * What the response to a question means; a decline where it is an error.
 * Source: MCP client/elicitation "Response Actions"; Codex 0.28.0, tapes exec-approval-*.
 */
export const readResponse = (response: Response): ReviewResult => {
  if ('error' in response) {
    const { code, message } = response.error;
    return declined(`the client answered the question with error ${code}: ${message}`);
  }
  const result = 'result' in response ? response.result : undefined;
  const answer = readAnswer(result);
  return answer.reason === NOT_UNDERSTOOD && isSampled(result) ? { ...answer, sampled: result } : answer;
};

/** The answer of a model. Source: MCP 2025-11-25, `CreateMessageResult`. */
const isSampled = (result: unknown): result is JsonObject =>
  isObject(result) && typeof result.role === 'string' && result.content !== undefined;

/**
 * What an answer means: `{decision}` as Codex 0.28.0 reads it, `{action, content}` as MCP has it, or both. An accepted form may
 * leave the decision out. Only `abort` stops the turn. An answer that cannot be understood, or whose members contradict each
 * other, is a decline with the reason. Fields that were filled in are kept for a question that is a form; for any other
 * question they do not mean yes.
 */
export const readAnswer = (result: unknown): ReviewResult => {
  const members = readMembers(result);
  return members === undefined ? declined(NOT_UNDERSTOOD) : decide(members);
};

/** What a question asks for: a decision, or the fields of a form. */
export type Asks = 'approval' | 'form';

/** True for an answer that accepts or declines, or fills in the fields where the question is a form. */
export const isUnderstood = (asks: Asks, result: unknown): boolean => {
  const { reason, form } = readAnswer(result);
  return reason !== NOT_UNDERSTOOD || (asks === 'form' && form !== undefined);
};

/** Null counts as absent. A decision in the content may also be a field of a form; beside one of its own it must be valid. */
const readMembers = (result: unknown): Members | undefined => {
  if (!isObject(result)) return undefined;
  const own = result.decision ?? undefined;
  const action = result.action ?? undefined;
  const content = result.content ?? undefined;
  if (own === undefined && action === undefined) return undefined;
  if (own !== undefined && !isDecision(own)) return undefined;
  if (action !== undefined && !isAction(action)) return undefined;
  if (content !== undefined && !isObject(content)) return undefined;
  const chosen = content?.decision ?? undefined;
  if (isDecision(chosen)) return { own, action, chosen, content };
  return own === undefined || chosen === undefined ? { own, action, content } : undefined;
};

const decide = ({ own, action, chosen, content }: Members): ReviewResult => {
  const decision = own ?? chosen;
  const isTwofold = own !== undefined && chosen !== undefined && own !== chosen;
  if (isTwofold || (isNo(action) && isYes(decision))) return declined(CONTRADICTORY);
  if (decision !== undefined) return withForm({ decision }, action, content);
  if (action === 'cancel') return declined(DISMISSED);
  if (action === 'decline') return { decision: 'denied' };
  return withForm(isEmpty(content) ? { decision: 'approved' } : declined(NOT_UNDERSTOOD), action, content);
};

const isNo = (action: Action | undefined): boolean => action === 'decline' || action === 'cancel';
const isYes = (decision: ReviewDecision | undefined): boolean =>
  decision === 'approved' || decision === 'approved_for_session';
const isEmpty = (content: JsonObject | undefined): boolean =>
  content === undefined || Object.keys(content).length === 0;

/** The fields belong to the verdict unless the person declined. */
const withForm = (verdict: ReviewResult, action: Action | undefined, content: JsonObject | undefined): ReviewResult => {
  const isFilled = action === 'accept' && content !== undefined;
  return isFilled && (isYes(verdict.decision) || verdict.reason !== undefined)
    ? { ...verdict, form: content }
    : verdict;
};
