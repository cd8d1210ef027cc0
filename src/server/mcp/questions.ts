/** Owns how questions are named in `inputRequests`, and reading the answers in `inputResponses`. */
import type { JsonObject, Verdict } from '../../protocol';
import { isForm, toFilled, toVerdict } from './elicitation';

const QUESTION_KEY = /^(approval|form)-(\d+)$/;

/** The name of a question in `inputRequests`; it tells how its answer is read. */
export const toQuestionKey = (question: number, params: JsonObject): string =>
  `${isForm(params) ? 'form' : 'approval'}-${question}`;

/** Answers that cannot be read are as good as missing: their question is put again. */
export const verdictsOf = (responses: JsonObject): Map<number, Verdict> =>
  new Map(
    Object.entries(responses).flatMap(([key, result]) => {
      const [, kind, question] = QUESTION_KEY.exec(key) ?? [];
      const verdict = kind === 'form' ? toFilled(result) : toVerdict(result);
      return question === undefined || verdict === undefined ? [] : [[Number(question), verdict] as const];
    }),
  );
