/** Decides whether the demonstration showed what it should, and if not, why. */
import type { Mark } from './mark';
import { type ToolResult, toToolResult } from './messages';
import { CONTENT, FILE } from './scene';

/** What there is to judge by. `trouble` is '' where server and clock gave none; `written` undefined without a file. */
export type Facts = { marks: readonly Mark[]; trouble: string; written: string | undefined };

export type Verdict = { kind: 'shown'; codex: ToolResult } | { kind: 'failed'; reason: string };

/** The result that an answer's marble stands for. */
const resultOf = (marks: readonly Mark[], symbol: string): ToolResult | undefined => {
  const message = marks.find((mark) => mark.lane === 'answer' && mark.symbol === symbol)?.message;
  return message?.kind === 'response' ? toToolResult(message) : undefined;
};

/** The first thing that is not as it should be, or the result of the call. */
export const toVerdict = ({ marks, trouble, written }: Facts): Verdict => {
  const [codex, reply] = [resultOf(marks, 'C'), resultOf(marks, 'R')];
  const failed = (reason: string): Verdict => ({ kind: 'failed', reason });
  if (trouble !== '') return failed(trouble);
  if (!codex) return failed('the call of codex got no answer with text and structuredContent');
  if (marks.some(({ symbol, lane }) => lane === 'question' && symbol === 'x'))
    return failed(`the command was declined, so ${FILE} was not written`);
  if (!marks.some(({ symbol }) => symbol === 'Q')) return failed('nobody was asked before the command ran');
  if (written !== CONTENT)
    return failed(`${FILE} ${written === undefined ? 'was not written' : 'holds something else'}`);
  if (!reply) return failed('the call of codex-reply got no answer with text and structuredContent');
  return { kind: 'shown', codex };
};
