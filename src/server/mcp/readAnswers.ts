/** The answers of a client to questions: a decision, or the fields of a form. Source: MCP client/elicitation; 2026-07-28 basic/patterns/mrtr. */
import { REVIEW_DECISIONS, type ReviewDecision, type ReviewResult } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../protocol/codex/events';
import { isObject, type JsonObject, mapTexts, wordOf } from '../../protocol/jsonrpc/json';
import type { Response } from '../../protocol/jsonrpc/messages';
import { toVisible } from '../../streams/text/visible';
import { formOf } from '../faces/toElicitation';

const NOT_UNDERSTOOD = 'the answer of the client could not be understood';
const CONTRADICTORY = 'the answer of the client contradicts itself';
const DISMISSED = 'the question was dismissed';
const CHOICES = REVIEW_DECISIONS.join(', ');
const NO_CHOICE = `the question was accepted without a choice, which is no yes; the answer must choose one of ${CHOICES}`;
const UNKNOWN_CHOICE = `the answer of the client chose none of ${CHOICES}`;

/** The schema of a form; undefined for a question that asks for a decision. */
type AskedForm = JsonObject | undefined;

type Reading = ReviewResult | { unfit: string };

/** The members that an answer may have; null counts as absent. */
type Members = { own?: ReviewDecision; action?: Action; content: unknown };

const ACTIONS = ['accept', 'decline', 'cancel'] as const;
type Action = (typeof ACTIONS)[number];

const isDecision = (value: unknown): value is ReviewDecision => REVIEW_DECISIONS.some((decision) => decision === value);
const isAction = (value: unknown): value is Action => ACTIONS.some((action) => action === value);

const declined = (reason: string): ReviewResult => ({ decision: 'denied', reason });

/** What a response to a question means; an error is a decline. Source: MCP client/elicitation; Codex 0.28.0, tapes exec-approval-*. */
export const readResponse = (form: AskedForm, response: Response): ReviewResult => {
  const fault = faultOf(response);
  return fault === undefined ? readAnswer(form, resultOf(response)) : declined(fault);
};

/** What the response to a request for a sampling means: what the model wrote, or a decline. */
export const readSampling = (response: Response): ReviewResult => {
  const result = resultOf(response);
  const refusal = declined(faultOf(response) ?? NOT_UNDERSTOOD);
  return isSampled(result) ? { ...refusal, sampled: result } : refusal;
};

const resultOf = (response: Response): unknown => ('result' in response ? response.result : undefined);

const faultOf = (response: Response): string | undefined =>
  'error' in response
    ? `the client answered the question with error ${response.error.code}: ${response.error.message}`
    : undefined;

/** The answer of a model. Source: MCP 2025-11-25, `CreateMessageResult`. */
const isSampled = (result: unknown): result is JsonObject =>
  isObject(result) && typeof result.role === 'string' && result.content !== undefined;

/**
 * What an answer means: `{decision}` as Codex 0.28.0 reads it, `{action, content}` as MCP has it, or both. Only what names a decision
 * approves, and only fields that fit a form fill it in; any other answer is a decline with the reason. Only `abort` stops the turn.
 */
export const readAnswer = (form: AskedForm, result: unknown): ReviewResult => {
  const reading = read(form, result);
  return 'unfit' in reading ? declined(reading.unfit) : reading;
};

/** True if an answer fits the question, yes or no; otherwise the question may be asked once more. */
export const isFitting = (form: AskedForm, result: unknown): boolean => !('unfit' in read(form, result));

const read = (form: AskedForm, result: unknown): Reading => {
  const members = readMembers(result);
  if ('unfit' in members) return members;
  if (members.action === 'decline' || members.action === 'cancel') return readNo(form, members);
  return form === undefined ? readDecision(members) : readFields(form, members);
};

const readMembers = (result: unknown): Members | { unfit: string } => {
  if (!isObject(result)) return { unfit: NOT_UNDERSTOOD };
  const own = result.decision ?? undefined;
  const action = result.action ?? undefined;
  if (own === undefined && action === undefined) return { unfit: NOT_UNDERSTOOD };
  if (own !== undefined && !isDecision(own)) return { unfit: UNKNOWN_CHOICE };
  if (action !== undefined && !isAction(action)) return { unfit: NOT_UNDERSTOOD };
  return { own, action, content: result.content ?? undefined };
};

const choiceOf = (content: unknown): unknown => (isObject(content) ? (content.decision ?? undefined) : undefined);

const isYes = (decision: unknown): boolean => decision === 'approved' || decision === 'approved_for_session';

const readNo = (form: AskedForm, { own, action, content }: Members): Reading => {
  const chosen = form === undefined ? choiceOf(content) : undefined;
  if (isYes(own) || isYes(chosen)) return declined(CONTRADICTORY);
  const decision = own ?? chosen;
  if (isDecision(decision)) return { decision };
  return action === 'cancel' ? declined(DISMISSED) : { decision: 'denied' };
};

const readDecision = ({ own, content }: Members): Reading => {
  if (content !== undefined && !isObject(content)) return { unfit: NOT_UNDERSTOOD };
  const chosen = choiceOf(content);
  if (chosen !== undefined && !isDecision(chosen)) return { unfit: UNKNOWN_CHOICE };
  if (own !== undefined && chosen !== undefined && own !== chosen) return declined(CONTRADICTORY);
  const decision = own ?? chosen;
  return decision === undefined ? { unfit: NO_CHOICE } : { decision };
};

/** Next to fields, a decision can only be a no. */
const readFields = (form: JsonObject, { own, action, content }: Members): Reading => {
  if (own !== undefined && !isYes(own)) return { decision: own };
  if (action === undefined || !isObject(content)) return { unfit: 'the form was accepted without its fields' };
  const answered = inOwnTexts(form, content);
  const reason = whyUnfit(form, answered);
  return reason === undefined ? { decision: 'approved', form: answered } : { unfit: reason };
};

/** An answer in the texts of the form: a person was shown its names, choices and defaults with their unseen characters escaped. */
const inOwnTexts = (form: JsonObject, content: JsonObject): JsonObject => {
  const own = new Map<string, string>();
  mapTexts(form, (text) => {
    own.set(toVisible(text), text);
    return text;
  });
  return mapTexts(content, (text) => own.get(text) ?? text) as JsonObject;
};

/**
 * Why `content` is no answer to a form; undefined if it is. Checks what is required, the types and the choices. Limits of lengths and numbers are
 * left to the server that asked.
 * Source: MCP client/elicitation "Requested Schema", 2025-06-18 and 2025-11-25.
 */
export const whyUnfit = ({ properties, required }: JsonObject, content: JsonObject): string | undefined => {
  const missing = (Array.isArray(required) ? required : []).find((name) => !Object.hasOwn(content, name));
  if (missing !== undefined) return `the form was accepted without \`${wordOf(missing)}\`, which it requires`;
  const wrong = Object.entries(isObject(properties) ? properties : {}).find(
    ([name, field]) => Object.hasOwn(content, name) && !(isObject(field) && fits(field, content[name])),
  );
  return wrong && `the answer of the client has no valid value for \`${wrong[0]}\``;
};

const fits = (field: JsonObject, value: unknown): boolean => {
  const { type, items } = field;
  if (type === 'array') {
    return Array.isArray(value) && value.every((one) => isObject(items) && isChosen(items, one));
  }
  return isOfType(type, value) && isChosen(field, value);
};

const isOfType = (type: unknown, value: unknown): boolean => {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
};

/** True for one of the choices, in any notation of a revision, or if there are none. */
const isChosen = ({ enum: values, oneOf, anyOf }: JsonObject, value: unknown): boolean => {
  if (Array.isArray(values)) return values.includes(value);
  const titled = oneOf ?? anyOf;
  return !Array.isArray(titled) || titled.some((choice) => isObject(choice) && choice.const === value);
};

/** The name of a question in `inputRequests`. */
export const toQuestionKey = (question: number, msg: EventMsg): string =>
  `${formOf(msg) === undefined ? 'approval' : 'form'}-${question}`;

/** The questions that were asked: their keys, and those whose answer did not fit before. */
export type Asked = { keys: readonly string[]; misread: readonly string[] };

type Answers = {
  /** By the id of the question. */
  verdicts: ReadonlyMap<number, ReviewResult>;
  /** Keys of questions to ask again. */
  misread: readonly string[];
};

/** Reads answers to open questions of a call. An unfit answer is asked for once more; the second is a decline with the reason. */
export const readAnswers = (
  questions: ReadonlyMap<number, CodexEvent>,
  responses: JsonObject,
  { keys, misread }: Asked,
): Answers => {
  const given = [...questions]
    .map(([question, { msg }]) => ({ question, form: formOf(msg), key: toQuestionKey(question, msg) }))
    .filter(({ key }) => keys.includes(key) && Object.hasOwn(responses, key));
  const isFinal = ({ form, key }: (typeof given)[number]) => isFitting(form, responses[key]) || misread.includes(key);
  return {
    verdicts: new Map(
      given.filter(isFinal).map(({ question, form, key }) => [question, readAnswer(form, responses[key])]),
    ),
    misread: [...misread, ...given.filter((one) => !isFinal(one)).map(({ key }) => key)],
  };
};
