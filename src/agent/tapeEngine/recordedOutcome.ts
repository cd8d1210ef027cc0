/** What became of a recorded call, as its response tells. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';

/** An action that was not taken. Without a `reason` the client declined it. */
type RecordedSkip = { what: string; reason?: string };

/** The end of a recorded call. */
export type RecordedOutcome = {
  /** The answer of the agent, without the thread id and the actions that were not taken, which the server adds. */
  text: string;
  /** The text of a result that is an error. */
  failure?: string;
  /** Set for a result that names no thread, as of a call that could not begin. */
  isNameless?: true;
  /** The actions that were not taken, if there are any. */
  notDone?: RecordedSkip[];
};

/** The outcome in the result or the error of a call; an empty text if there is neither. */
export const outcomeOf = ({ result, error }: JsonObject): RecordedOutcome => {
  if (isObject(error)) return { text: '', failure: wordOf(error.message ?? 'the call failed') };
  const { content, structuredContent, isError } = toObject(result);
  const structured = toObject(structuredContent);
  const notDone = Array.isArray(structured.notDone) ? structured.notDone.flatMap(toSkip) : [];
  const text = withoutNotes(typeof structured.content === 'string' ? structured.content : textsOf(content), notDone);
  return {
    text,
    ...(isError === true && { failure: text, ...(!isObject(structuredContent) && { isNameless: true }) }),
    ...(notDone.length > 0 && { notDone }),
  };
};

const textsOf = (content: unknown): string =>
  (Array.isArray(content) ? content : []).map((part) => wordOf(toObject(part).text ?? '')).join('');

const toSkip = (given: unknown): RecordedSkip[] => {
  const { what, reason } = toObject(given);
  if (typeof what !== 'string') return [];
  return [{ what, ...(typeof reason === 'string' && { reason }) }];
};

const withoutNotes = (text: string, notDone: readonly RecordedSkip[]): string => {
  const notes = notDone.map(({ what, reason = 'the client declined it' }) => `Not done: ${what}: ${reason}`);
  const end = notes.join('\n\n');
  return text.endsWith(end) ? text.slice(0, text.length - end.length).trimEnd() : text;
};
