/** Owns finding the calls of the two tools in a recording, with all that was said about each. */
import { type EventMsg, idKey, isObject, type JsonObject, type ReviewDecision } from '../../protocol';
import type { HeardLine, Recording, ToldLine } from '../recording';
import { fromWireMsg } from './fromWireMsg';

/**
 * A step of a turn, `afterMs` after the one before. `question`: somebody was asked, and decided so; undefined where no
 * answer was recorded.
 */
export type TurnStep = {
  afterMs: number;
  msg: EventMsg;
  question?: { decision: ReviewDecision | undefined; form?: JsonObject };
};

/** A recorded call. `thread` is '' for one that never began; `failure` is the text of a result that is an error. */
export type RecordedTurn = {
  lineNumber: number;
  tool: 'codex' | 'codex-reply';
  prompt: string;
  threadId: string;
  steps: TurnStep[];
  text: string;
  failure?: string;
};

type Call = { heard: HeardLine; id: string; tool: RecordedTurn['tool']; prompt: string; threadId: string };

/** The calls of `codex` and `codex-reply`, in the order they were made. */
export const toTurns = (recording: Recording): RecordedTurn[] =>
  recording.heard
    .flatMap((heard) => heard.words.flatMap((word) => callOf(heard, word)))
    .map((call) => toTurn(recording, call));

const callOf = (heard: HeardLine, word: HeardLine['words'][number]): Call[] => {
  if (word.kind !== 'request' || word.method !== 'tools/call' || !isObject(word.params)) return [];
  const { name, arguments: given } = word.params;
  if (name !== 'codex' && name !== 'codex-reply') return [];
  const { prompt = '', threadId, conversationId, sessionId } = isObject(given) ? given : {};
  const thread = name === 'codex-reply' ? (threadId ?? conversationId ?? sessionId ?? '') : '';
  return [{ heard, id: idKey(word.id), tool: name, prompt: String(prompt), threadId: String(thread) }];
};

const toTurn = (recording: Recording, { heard, id, tool, prompt, threadId: asked }: Call): RecordedTurn => {
  const mine = recording.told.filter(({ owner }) => recording.heard[owner] === heard);
  const result = mine
    .flatMap(({ words }) => words)
    .find((word) => word.kind === 'response' && word.id !== null && idKey(word.id) === id);
  const body = result?.kind === 'response' ? result.body : {};
  const steps = stepsOf(recording, heard, mine);
  const threadId = asked || (mine.map(threadOf).find((thread) => thread !== '') ?? '');
  return { lineNumber: heard.lineNumber, tool, prompt, threadId, steps, ...outcomeOf(body) };
};

const stepsOf = (recording: Recording, heard: HeardLine, mine: readonly ToldLine[]): TurnStep[] => {
  let before = heard.t;
  return mine.flatMap((line) => {
    const msg = msgOf(line);
    if (msg === undefined) return [];
    const question = isQuestion(msg) ? questionOf(recording, mine, line) : undefined;
    const step = { afterMs: Math.max(0, line.t - before), msg, ...(question && { question: question.verdict }) };
    before = question?.answeredMs ?? line.t;
    return [step];
  });
};

const msgOf = ({ words }: ToldLine): EventMsg | undefined => {
  const [word] = words;
  if (word?.kind !== 'notification' || word.method !== 'codex/event' || !isObject(word.params)) return undefined;
  return isObject(word.params.msg) ? fromWireMsg(word.params.msg) : undefined;
};

const isQuestion = ({ type }: EventMsg): boolean =>
  type === 'exec_approval_request' || type === 'apply_patch_approval_request' || type === 'elicitation_request';

/** The question that went to the client right after its event, and what came back. */
const questionOf = ({ heard }: Recording, mine: readonly ToldLine[], event: ToldLine) => {
  const asked = mine.slice(mine.indexOf(event)).find(({ words: [word] }) => word?.kind === 'request');
  const answer = asked?.answered === undefined ? undefined : heard[asked.answered];
  const [word] = answer?.words ?? [];
  const verdict = word?.kind === 'response' ? verdictOf(word.body) : { decision: undefined };
  return { verdict, answeredMs: answer?.t };
};

const DECISIONS: Record<string, ReviewDecision> = { accept: 'approved', decline: 'denied', cancel: 'abort' };

const verdictOf = ({ result }: JsonObject): NonNullable<TurnStep['question']> => {
  if (!isObject(result)) return { decision: 'denied' };
  const { decision, action, content } = result;
  const inside = isObject(content) ? content.decision : undefined;
  const said = decision ?? inside ?? DECISIONS[String(action)];
  return {
    decision: said as ReviewDecision | undefined,
    ...(isObject(content) && inside === undefined && { form: content }),
  };
};

const threadOf = ({ words: [word] }: ToldLine): string => {
  if (word?.kind === 'notification' && isObject(word.params)) {
    const { _meta: meta, msg } = word.params;
    const named = isObject(meta) ? meta.threadId : undefined;
    return String(named ?? (isObject(msg) ? (msg.session_id ?? '') : ''));
  }
  const result =
    word?.kind === 'response' && isObject(word.body.result) ? word.body.result.structuredContent : undefined;
  return isObject(result) ? String(result.threadId ?? '') : '';
};

const outcomeOf = ({ result, error }: JsonObject): Pick<RecordedTurn, 'text' | 'failure'> => {
  if (isObject(error)) return { text: '', failure: String(error.message ?? 'the call failed') };
  const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
  const text = content.map((part) => (isObject(part) ? String(part.text ?? '') : '')).join('');
  return isObject(result) && result.isError === true ? { text, failure: text } : { text };
};
