/** Limits the time in which an MCP server must be ready. */
import {
  catchError,
  connect,
  defer,
  type MonoTypeOperatorFunction,
  map,
  merge,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { NotStarted } from './notStarted';

/** @param quoted what to add to a reason: what the server wrote besides messages, '' if nothing */
export type StartLimit = { ms: number; quoted: () => string };

/**
 * Errors with NotStarted if there is no server in time, and for whatever goes wrong before there is one.
 *   server  ------     --S---#     --#
 *   out     -----N     --S---#     --N     (N NotStarted, # the error itself)
 */
export const startedWithin =
  <T>({ ms, quoted }: StartLimit): MonoTypeOperatorFunction<T> =>
  (server$) =>
    defer(() => {
      let isThere = false;
      const late$ = timer(ms).pipe(
        map((): never => {
          throw new Error(`it did not answer within ${ms / 1000} s`);
        }),
      );
      return server$.pipe(
        tap(() => {
          isThere = true;
        }),
        connect((shared$) => merge(shared$, late$.pipe(takeUntil(shared$)))),
        catchError((error: Error) => throwError(() => (isThere ? error : new NotStarted(withQuote(error, quoted()))))),
      );
    });

const withQuote = ({ message }: Error, quote: string): string =>
  quote === '' ? message : `${message.replace(/\.$/, '')}${quote}`;
