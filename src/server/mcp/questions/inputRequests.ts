/** Owns how questions are named in `inputRequests`, and reading the answers in `inputResponses`. */

import type { ReviewResult } from '../../../protocol/codex';
import type { JsonObject } from '../../../protocol/jsonrpc';
import { isForm, readDecision, readForm } from './toElicitation';

const QUESTION_KEY = /^(approval|form)-(\d+)$/;

/** The name of a question in `inputRequests`; it tells how its answer is read. */
export const toQuestionKey = (question: number, params: JsonObject): string =>
  `${isForm(params) ? 'form' : 'approval'}-${question}`;

/** Answers that cannot be read are as good as missing: their question is put again. */
export const readAnswers = (responses: JsonObject): Map<number, ReviewResult> =>
  new Map(
    Object.entries(responses).flatMap(([key, result]) => {
      const [, kind, question] = QUESTION_KEY.exec(key) ?? [];
      const verdict = kind === 'form' ? readForm(result) : readDecision(result);
      return question === undefined || verdict === undefined ? [] : [[Number(question), verdict] as const];
    }),
  );
