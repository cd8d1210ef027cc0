/** Pings a client that was sent nothing for a while although a call waits: a write is how a server notices that nobody reads. */
import {
  distinctUntilChanged,
  EMPTY,
  filter,
  last,
  map,
  type Observable,
  type OperatorFunction,
  repeat,
  scan,
  startWith,
  switchMap,
  takeUntil,
  withLatestFrom,
} from 'rxjs';
import type { Outgoing, Request } from '../../protocol/jsonrpc';
import { type CallOutput, endsWait } from '../calls';
import type { Caller } from './caller';
import type { McpDeps } from './mcpDeps';

/** A client that was sent nothing for so long is pinged. One with a progress token is sent progress more often. */
const SILENT_MS = 10_000;

/**
 * Emits a ping for each 10 s in which a request waited for a call and no message was sent. 2026-07-28 has no ping. What the client
 * answers does not matter; a reader that is gone ends the server by the write.
 * @param output$ of the calls
 *   message$  -m--------      (m a message)
 *   output$   b---------z     (b begun, z finished)
 *   out       20s P 10s P
 */
export const pingWhileSilent =
  ({ after }: Pick<McpDeps, 'after'>, output$: Observable<CallOutput<Caller>>): OperatorFunction<Outgoing, Request> =>
  (message$) => {
    const sent$ = message$.pipe(
      scan((count) => count + 1, 0),
      startWith(0),
    );
    const silence$ = after(SILENT_MS).pipe(
      repeat(),
      withLatestFrom(sent$),
      scan((before: Tick, [, sent]): Tick => ({ sent, isSilent: sent === before.sent }), { sent: 0, isSilent: false }),
      filter(({ isSilent }) => isSilent),
    );
    return output$.pipe(
      scan((waiting, output) => waiting + changeOf(output), 0),
      map((waiting) => waiting > 0),
      distinctUntilChanged(),
      switchMap((isWaiting) => (isWaiting ? silence$ : EMPTY)),
      map((_, at): Request => ({ kind: 'request', id: `codex-rx-ping-${at + 1}`, method: 'ping', params: {} })),
      takeUntil(message$.pipe(last(null, null))),
    );
  };

/** How many messages were sent until a tick, and whether none was since the tick before. */
type Tick = { sent: number; isSilent: boolean };

/** How many more requests wait. */
const changeOf = (output: CallOutput<Caller>): number => {
  if (output.call.caller.era.modern) return 0;
  if (output.kind === 'begun' || output.kind === 'resumed') return 1;
  return endsWait(output) ? -1 : 0;
};
