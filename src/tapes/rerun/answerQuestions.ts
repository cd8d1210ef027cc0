/** Answers the questions of a daemon that runs again. Nobody knows the answer to a question that was not recorded. */
import {
  asapScheduler,
  connect,
  defer,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  observeOn,
  Subject,
  takeUntil,
  takeWhile,
} from 'rxjs';
import { isObject, parseObject, textOf, toJson, toObject } from '../../protocol/jsonrpc/json';
import type { Request } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';

/** How questions are answered. */
export type QuestionDeps = {
  /** Emits the result of a question; undefined if only the recorded answers count. */
  answer: ((question: Request) => Observable<object>) | undefined;
  /** The lines that the recorded daemon sent. */
  recorded: readonly string[];
  /** Gets the text of each question that is answered, or that nobody answers. */
  onQuestion: (text: string) => void;
};

/**
 * Runs the daemon. With `answer` each question is answered at once, and the recorded answers are left out. Without it, the daemon ends at a question that
 * was not recorded.
 *   in   --y----|     (y a recorded answer)
 *   out  -Q-q|        (Q was recorded, q was not)
 */
export const answerQuestions =
  ({ answer, recorded, onQuestion }: QuestionDeps) =>
  (run: OperatorFunction<string, string>): OperatorFunction<string, string> =>
  (line$) =>
    defer(() => {
      const toAnswer = (request: Request): Observable<string> =>
        answer?.(request).pipe(map((result) => toJson({ jsonrpc: '2.0', id: request.id, result }))) ?? EMPTY;
      const question$ = new Subject<Request>(); // the wire from a question to the input of the daemon
      const answer$ = question$.pipe(observeOn(asapScheduler), mergeMap(toAnswer));
      const known = recorded.flatMap((line) => questionIn(line)?.text ?? []);
      const isAnswered = (line: string): boolean => {
        const question = questionIn(line);
        if (question === undefined || (answer === undefined && takeOnce(known, question.text))) return true;
        onQuestion(question.text);
        question$.next(question.request);
        return answer !== undefined;
      };
      return line$.pipe(
        filter((line) => answer === undefined || !parseLine(line).messages.every(({ kind }) => kind === 'response')),
        connect((sent$) => merge(sent$, answer$.pipe(takeUntil(sent$.pipe(ignoreElements(), endWith(true)))))),
        run,
        takeWhile(isAnswered, true),
      );
    });

const questionIn = (line: string): { text: string; request: Request } | undefined => {
  if (!line.includes('"elicitation/create"')) return undefined;
  const request = parseObject(line);
  if (!isObject(request) || request.method !== 'elicitation/create' || request.id === undefined) return undefined;
  return { text: textOf(toObject(request.params).message), request: request as unknown as Request };
};

const takeOnce = (texts: string[], text: string): boolean => {
  const at = texts.indexOf(text);
  if (at !== -1) texts.splice(at, 1);
  return at !== -1;
};
