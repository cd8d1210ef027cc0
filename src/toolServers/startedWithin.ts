/** The time in which an MCP server must be ready. */
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

/** @param quoted what is to be added to a reason: what the server wrote that is no message, '' where there is none */
export type StartLimit = { ms: number; quoted: () => string };

/**
 * Errors with NotStarted where there is no server in time, and for whatever went wrong before there was one.
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
