/** Requests of calls that are answered before their calls are done, because their client waits no longer. */
import { EMPTY, filter, map, mergeMap, type Observable, takeUntil } from 'rxjs';
import { ofKind } from '../../streams/ofKind';
import { toTimerMs } from '../../streams/time/wait';
import type { McpCall } from './caller';
import type { McpDeps } from './mcpDeps';
import type { CallCommand, Command } from './methods/method';

/**
 * When requests must be answered before their calls are done. A call that may become a task is never one of these.
 *   command  b-----w-----z     (b begins a call, w waits for one, z end)
 *   out      -- 5s P -- 5s P   (P the time of a request is over)
 */
export const pauses = (
  { answerWithinMs: ms, after }: Pick<McpDeps, 'answerWithinMs' | 'after'>,
  command$: Observable<Command>,
): Observable<CallCommand> =>
  ms === undefined
    ? EMPTY
    : command$.pipe(
        filter(isWaiting),
        mergeMap(({ call: { requestId } }) =>
          after(toTimerMs(ms)).pipe(map(() => ({ kind: 'pause' as const, requestId }))),
        ),
        takeUntil(command$.pipe(ofKind('end'))),
      );

const isWaiting = (command: Command): command is Extract<Command, { call: McpCall }> =>
  'call' in command && command.call.asksBy !== 'task' && !('op' in command && command.op.kind !== 'turn');
