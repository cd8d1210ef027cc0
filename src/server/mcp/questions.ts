/** Owns how questions are named in `inputRequests`, and reading the answers in `inputResponses`. */
import type { JsonObject, Verdict } from '../../protocol';
import { toVerdict } from './elicitation';

const QUESTION_KEY = /^approval-(\d+)$/;

/** The name of a question in `inputRequests`. */
export const toQuestionKey = (question: number): string => `approval-${question}`;

/** Answers that cannot be read are as good as missing: their question is put again. */
export const verdictsOf = (responses: JsonObject): Map<number, Verdict> =>
  new Map(
    Object.entries(responses).flatMap(([key, result]) => {
      const question = QUESTION_KEY.exec(key)?.[1];
      const verdict = toVerdict(result);
      return question === undefined || verdict === undefined ? [] : [[Number(question), verdict] as const];
    }),
  );
