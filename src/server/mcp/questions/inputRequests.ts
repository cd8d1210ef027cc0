/** How questions are named in `inputRequests`, and reading the answers in `inputResponses`. Source: 2026-07-28 basic/patterns/mrtr. */

import type { ReviewResult } from '../../../protocol/codex/approval';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../../protocol/codex/events';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { formOf } from '../../faces/toElicitation';
import { isFitting, readAnswer } from './readAnswer';

/** The name of a question in `inputRequests`. */
export const toQuestionKey = (question: number, msg: EventMsg): string =>
  `${formOf(msg) === undefined ? 'approval' : 'form'}-${question}`;

/** The questions that were asked: their keys, and those whose answer did not fit before. */
export type Asked = { keys: readonly string[]; misread: readonly string[] };

/** `verdicts` by the id of the question; `misread` are the keys to ask again for. */
export type Answers = { verdicts: ReadonlyMap<number, ReviewResult>; misread: readonly string[] };

/**
 * Reads the answers to the questions of a call that were asked and are open, and no others. An answer that does not fit the question is
 * asked for once more; the second one is a decline with the reason.
 */
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
