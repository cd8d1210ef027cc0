/** Asks the person before something that a tape names happens on this machine. */
import { createInterface } from 'node:readline/promises';
import { defer, finalize, from, map, type Observable, throwError } from 'rxjs';
import { toVisible } from '../streams/text/visible';
import { TapeError } from '../tapes/format/tape';
import { print } from './terminal';

/** What is asked. */
export type Asked = {
  /** What the list is, as a sentence without its end. */
  title: string;
  /** What would happen, a line each. */
  list: readonly string[];
  /** What to do where nobody can be asked. */
  remedy: string;
  /** What did not happen, without an answer that is yes. */
  refusal: string;
};

/** Writes the list to stderr, and asks whether it may happen. Emits once for a yes; errors with TapeError for a no, or without a terminal. */
export const askFirst =
  ({ stdin, stderr }: { stdin: NodeJS.ReadStream; stderr: NodeJS.WriteStream }) =>
  ({ title, list, remedy, refusal }: Asked): Observable<unknown> =>
    defer(() => {
      print(`${[`${title}:`, ...list.map((line) => `  ${line}`)].map(toVisible).join('\n')}\n`, stderr);
      if (!stdin.isTTY || !stderr.isTTY)
        return throwError(() => new TapeError(`${refusal}, because nobody can be asked here; ${remedy}`));
      const terminal = createInterface({ input: stdin, output: stderr });
      return from(terminal.question('May all of this happen? [y/N] ')).pipe(
        map((answer) => {
          if (!/^y(?:es)?$/i.test(answer.trim())) throw new TapeError(refusal);
        }),
        finalize(() => terminal.close()),
      );
    });
