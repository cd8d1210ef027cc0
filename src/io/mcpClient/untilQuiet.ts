/** Ends the events of a client of an MCP server once nothing more can be expected. */
import {
  connect,
  endWith,
  filter,
  ignoreElements,
  merge,
  type Observable,
  type OperatorFunction,
  startWith,
  switchMap,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import type { McpEvent } from './mcpEvent';

/** How long after the last response the stream of a session may be silent before the session ends, in ms. */
const QUIET_MS = 250;
/** The same where a response does not end, such as that of a subscription. */
const IDLE_MS = 2_000;

/** An event; `posted`: all responses to what the client sent have ended. */
export type ClientEvent = McpEvent | { kind: 'posted' };

/**
 * Completes when the client's lines have ended and the server has been silent for long enough.
 * @param line$ the lines of the client
 *   line$  --|
 *   in     --r---p--n-
 *   out    --r------n 249ms |     (r a response, p posted, n a notification)
 */
export const untilQuiet =
  (line$: Observable<string>): OperatorFunction<ClientEvent, McpEvent> =>
  (item$) =>
    item$.pipe(
      connect((shared$) => {
        const quiet$ = shared$.pipe(
          filter(({ kind }) => kind === 'posted'),
          switchMap(() => timer(QUIET_MS)),
        );
        const idle$ = line$.pipe(
          ignoreElements(),
          endWith(true),
          switchMap(() =>
            shared$.pipe(
              startWith(undefined),
              switchMap(() => timer(IDLE_MS)),
              take(1),
            ),
          ),
        );
        return shared$.pipe(
          filter((item): item is McpEvent => item.kind !== 'posted'),
          takeUntil(merge(quiet$, idle$)),
        );
      }),
    );
