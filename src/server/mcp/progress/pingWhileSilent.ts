/** Pings a client that was sent nothing for a while although a call waits: a write is how a server notices that nobody reads. */
import {
  defer,
  exhaustMap,
  filter,
  map,
  type Observable,
  type OperatorFunction,
  repeat,
  takeUntil,
  takeWhile,
} from 'rxjs';
import type { Outgoing, Request } from '../../../protocol/jsonrpc/messages';
import { gather, mapMulti } from '../../../streams/gather';
import { type CallOutput, endsWait } from '../../calls/step';
import type { Caller } from '../caller';
import type { McpDeps } from '../mcpDeps';

/** A client is pinged after this long without a message. One with a progress token gets progress more often. */
const SILENT_MS = 10_000;

/**
 * Emits a ping for each 10 s in which a request waited for a call and no message was sent. 2026-07-28 has no ping. What the client
 * answers does not matter; a reader that is gone ends the server by the write.
 * The clock begins with a wait and stops at the first 10 s without one, so that calls that follow each other share it.
 * @param output$ of the calls
 *   message$  -m--------      (m a message)
 *   output$   b---------z     (b begun, z finished)
 *   out       20s P 10s P
 */
export const pingWhileSilent =
  ({ after }: Pick<McpDeps, 'after'>, output$: Observable<CallOutput<Caller>>): OperatorFunction<Outgoing, Request> =>
  (message$) =>
    defer(() => {
      const silence = silenceOfWaits();
      const strike$ = after(SILENT_MS).pipe(repeat(), takeWhile(silence.isWaiting));
      return output$.pipe(
        mapMulti<CallOutput<Caller>, 'wait'>((output, emit) => silence.count(changeOf(output)) && emit('wait')),
        exhaustMap(() => {
          silence.begin();
          return strike$;
        }),
        filter(silence.end),
        map((_, at): Request => ({ kind: 'request', id: `codex-rx-ping-${at + 1}`, method: 'ping', params: {} })),
        takeUntil(message$.pipe(gather<Outgoing, 'end'>((emit) => ({ next: silence.break, end: () => emit('end') })))),
      );
    });

/** `count`: whether a silence broke, as a request waits and none did before. `end`: whether all was silent since `begin` or the last `end`. */
const silenceOfWaits = () => {
  let waiting = 0;
  let isSilent = true;
  const begin = () => {
    isSilent = true;
  };
  const end = () => {
    const wasSilent = isSilent;
    begin();
    return wasSilent;
  };
  const broken = () => {
    isSilent = false;
  };
  const count = (change: number) => {
    waiting += change;
    const isFirst = change === 1 && waiting === 1;
    if (isFirst) broken();
    return isFirst;
  };
  return { count, begin, end, break: broken, isWaiting: () => waiting > 0 };
};

const changeOf = (output: CallOutput<Caller>): number => {
  if (output.call.caller.era.modern) return 0;
  if (output.kind === 'begun' || output.kind === 'resumed') return 1;
  return endsWait(output) ? -1 : 0;
};
