/** The outcome of a call as the result of the request that waits for it. */
import type { Usage } from '../../protocol/codex/usage';
import { type JsonObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import type { Response } from '../../protocol/jsonrpc/messages';
import type { CallToolResult } from '../../protocol/mcp/mcp';
import type { TokenUsage } from '../../protocol/model/events';
import { toVisible } from '../../streams/text/visible';
import type { Done, Outcome, SkippedAction, Turn } from '../calls/turn';
import { NO_WORK } from '../calls/work';
import type { Face } from '../faces/faceOf';
import type { McpCall } from './caller';
import { maxResultChars, readsStructured } from './clients';
import type { Library } from './library';
import { answerLink } from './methods/libraryMethods';
import { serverMeta } from './methods/method';

/** Whether the text of a result has the thread id; `auto`: for failures, and for clients that do not read `structuredContent`. */
export const THREAD_ID_IN_TEXT = ['auto', 'always', 'never'] as const;
/** One of `THREAD_ID_IN_TEXT`. */
export type ThreadIdInText = (typeof THREAD_ID_IN_TEXT)[number];

export type ResultDeps = {
  face: Face;
  threadIdInText: ThreadIdInText;
  /** The clock by which calls begin, in ms. */
  workMs: () => number;
  /** Absent if clients cannot read threads as resources. */
  library?: () => Pick<Library, 'hasThread'>;
};

type Report = {
  threadId?: string;
  text: string;
  failed: boolean;
  done?: Done;
  /** The thread has the whole answer, of which the text lacks a part. */
  isCut?: true;
  /** The call is not over. */
  status?: 'working';
};

/**
 * The response; the thread id is in the text of a failure too, as some clients show nothing else.
 * Source: a failed turn is `{error}` in Codex 0.28.0, tapes error-*; it is a result with `isError` in 0.142.0, tape v142-error-400.
 */
export const toCallResult = (deps: ResultDeps, call: McpCall, outcome: Outcome): Response => {
  const { face } = deps;
  const { id, batch, era } = call.caller;
  if (outcome.kind === 'failed' && outcome.rpcError) return { kind: 'response', id, batch, error: outcome.rpcError };
  const report = toReport(face, outcome);
  if (face.failsByError && outcome.kind === 'failed' && !era.modern) {
    return { kind: 'response', id, batch, result: { error: report.text } };
  }
  return toResponse(deps, call, outcome.kind === 'completed' ? toFitting(deps, call, report) : report);
};

/** An answer of which its client would drop a part loses its middle, if it can be read as a resource. */
const toFitting = (deps: ResultDeps, { caller }: McpCall, report: Report): Report => {
  const maxChars = maxResultChars(caller.era);
  const { threadId, text } = report;
  if (maxChars === undefined || threadId === undefined) return report;
  const room = maxChars - OTHER_CHARS - JSON.stringify(toStructured(deps, report)).length;
  if (sizeOf(text) <= room || deps.library?.().hasThread(threadId) !== true) return report;
  return { ...report, text: withoutMiddle(text, Math.max(room, MIN_CHARS), answerLink(threadId).uri), isCut: true };
};

/** The link, the thread id, and the line that says what is left out. */
const OTHER_CHARS = 1_000;
/** What stays of an answer if the list of changes is long. */
const MIN_CHARS = 10_000;
/** A client that counts tokens too takes fewer characters of scripts that have several bytes for each. */
const CHARS_PER_BYTE = 5 / 6;

/** As JSON within JSON, as which a result with a link is counted. */
const sizeOf = (text: string): number =>
  Math.max(JSON.stringify(JSON.stringify(text)).length, Buffer.byteLength(text) * CHARS_PER_BYTE);

/** Most of what is kept is the beginning; the end has what was not done. */
const withoutMiddle = (text: string, room: number, uri: string): string => {
  const head = fitting(text, room * 0.78, (chars) => text.slice(0, chars)).replace(/[\uD800-\uDBFF]$/, '');
  const tail = fitting(text, room * 0.2, (chars) => text.slice(text.length - chars)).replace(/^[\uDC00-\uDFFF]/, '');
  const cut = text.length - head.length - tail.length;
  return `${head}\n\n[${cut} of ${text.length} characters are left out here. Until the next turn of this thread, the resource ${uri} has the whole answer.]\n\n${tail}`;
};

/** The longest piece that is found to fit in a few attempts. */
const fitting = (text: string, room: number, take: (chars: number) => string): string => {
  let piece = take(Math.min(text.length, Math.floor(room)));
  while (sizeOf(piece) > room) piece = take(Math.floor((piece.length * room) / sizeOf(piece)));
  return piece;
};

const toResponse = (deps: ResultDeps, call: McpCall, report: Report): Response => {
  const { face } = deps;
  const { id, batch, era } = call.caller;
  const { threadId, text, failed, status, isCut } = report;
  const result: CallToolResult = {
    content: [
      ...toTexts(deps, call, report).map((part) => ({ type: 'text' as const, text: part })),
      ...(isCut && threadId !== undefined ? [answerLink(threadId)] : []),
    ],
    ...(threadId !== undefined &&
      face.structured && {
        structuredContent: { threadId, content: text, ...(status && { status }), ...toStructured(deps, report) },
      }),
    ...(failed && { isError: true }),
  };
  const whole = era.modern ? { resultType: 'complete', ...result, _meta: serverMeta(face) } : result;
  return { kind: 'response', id, batch, result: whole };
};

/** The response of a request that is answered before its call is done: what was done so far, and what the model of the client must do next. */
export const toWorkingResult = (deps: ResultDeps, call: McpCall, turn: Turn): Response => {
  const { threadId = '', questions, steps: done = [], beganMs } = turn;
  const seconds = beganMs === undefined ? '' : `, after ${Math.round((deps.workMs() - beganMs) / 1000)} s`;
  const steps = done.map((step) => `\n- ${toVisible(step)}`).join('');
  const text = [
    `The agent is still working${seconds}.${steps === '' ? '' : ` Its last steps:${steps}`}`,
    ...(questions.size > 0 ? ['It waits for an answer of the user.'] : []),
    `Next: call the tool codex-wait with ${JSON.stringify({ threadId })}. It returns the result once the agent is done, or says again that it works. Do not give the same task again by codex or codex-reply.`,
  ].join('\n\n');
  return toResponse(deps, call, { threadId, text, failed: false, done: turn, status: 'working' });
};

/** What the turn has done. An old release did not tell. */
const toStructured = ({ face, workMs }: ResultDeps, { done }: Report): JsonObject => {
  if (!face.extended || done === undefined) return {};
  const { work = NO_WORK, notDone, beganMs } = done;
  return {
    ...(Object.keys(work.usage).length > 0 && { usage: toUsage(work.usage) }),
    ...(beganMs !== undefined && { durationMs: Math.max(0, Math.round(workMs() - beganMs)) }),
    changes: [...work.changes].map(([path, kind]) => ({ path, kind })),
    commands: work.commands,
    notDone: notDone.map(({ what, reason }) =>
      withoutUndefined({ what: toVisible(what), reason: reason === undefined ? undefined : toVisible(reason) }),
    ),
  };
};

const toUsage = ({ turn, thread, contextWindow }: Usage): JsonObject =>
  withoutUndefined({ turn: turn && toTokens(turn), thread: thread && toTokens(thread), contextWindow });

/** A part that the provider does not report is left out. */
const toTokens = (usage: TokenUsage): JsonObject =>
  withoutUndefined({
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens ?? undefined,
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens ?? undefined,
    totalTokens: usage.total_tokens,
  });

const toTexts = ({ face, threadIdInText }: ResultDeps, { caller }: McpCall, report: Report): string[] => {
  const { threadId, text, failed } = report;
  if (threadId === undefined || !face.structured || threadIdInText === 'never') return [text];
  if (!face.extended) return [text];
  if (failed) return [`${text}\n\nthreadId: ${threadId}`];
  const isAdded = threadIdInText === 'always' || !readsStructured(caller.era);
  return isAdded ? [text, `threadId: ${threadId}`] : [text];
};

const toReport = (face: Face, outcome: Outcome): Report => {
  if (outcome.kind === 'rejected') {
    const { message } = outcome;
    if (face.texts === undefined) return { text: message, failed: true };
    const text = face.texts.rejected(message);
    return { threadId: MISSING_THREAD.exec(text)?.[1], text, failed: true };
  }
  if (outcome.kind === 'done' || outcome.kind === 'joined') {
    const text = outcome.kind === 'done' && face.extended ? IDLE : '';
    return { threadId: outcome.threadId, text, failed: false };
  }
  const { threadId } = outcome;
  const notes = toNotes(face, outcome.notDone);
  const about = { threadId, failed: outcome.kind !== 'completed', done: outcome };
  switch (outcome.kind) {
    case 'completed':
      return { ...about, text: withNotes(outcome.text, notes) };
    case 'failed':
      return { ...about, text: withNotes(outcome.message, notes) };
    case 'aborted':
      return { ...about, text: ['The turn was stopped.', ...notes].join('\n') };
    case 'stopped':
      return { ...about, text: withNotes(outcome.cause, notes) };
  }
};

/** Of codex-interrupt. */
const IDLE = 'No turn runs on this thread now. Go on with codex-reply.';

/** Source: Codex 0.142.0, tape v142-reply-errors: a thread that is not there is named in the result. */
const MISSING_THREAD = /^Session not found for thread_id: (.*)$/;

const withNotes = (text: string, notes: string[]): string =>
  [...(text === '' ? [] : [text]), ...notes.map((note) => `Not done: ${note}`)].join('\n\n');

/** A note is one line, with control and invisible characters escaped. An old release did not name what its client declined. */
const toNotes = ({ extended }: Face, notDone: readonly SkippedAction[]): string[] =>
  notDone
    .filter(({ reason }) => extended || reason !== undefined)
    .map(({ what, reason = 'the client declined it' }) => toVisible(`${what}: ${reason}`));
