/** How questions are named in `inputRequests`, and reading the answers in `inputResponses`. Source: 2026-07-28 basic/patterns/mrtr. */
import type { ReviewResult } from '../../../protocol/codex';
import type { JsonObject } from '../../../protocol/jsonrpc';
import { type Asks, isUnderstood, readAnswer } from './readAnswer';
import { isForm } from './toElicitation';

/** The name of a question in `inputRequests`. */
export const toQuestionKey = (question: number, params: JsonObject): string =>
  `${isForm(params) ? FORM : 'approval-'}${question}`;

const FORM = 'form-';

const questionOf = (key: string): number => Number(key.slice(key.indexOf('-') + 1));

const asksOf = (key: string): Asks => (key.startsWith(FORM) ? 'form' : 'approval');

/** The questions that were asked: their keys, and those whose answer could not be understood before. */
export type Asked = { keys: readonly string[]; misread: readonly string[] };

/** `verdicts` by the id of the question; `misread` are the keys to ask again for. */
export type Answers = { verdicts: ReadonlyMap<number, ReviewResult>; misread: readonly string[] };

/**
 * Reads the answers to the questions that were asked, and no others. An answer that cannot be understood is asked for once
 * more; the second one is a decline with the reason.
 */
export const readAnswers = (responses: JsonObject, { keys, misread }: Asked): Answers => {
  const given = keys.filter((key) => Object.hasOwn(responses, key));
  const isFinal = (key: string) => isUnderstood(asksOf(key), responses[key]) || misread.includes(key);
  return {
    verdicts: new Map(given.filter(isFinal).map((key) => [questionOf(key), readAnswer(responses[key])])),
    misread: [...misread, ...given.filter((key) => !isFinal(key))],
  };
};
