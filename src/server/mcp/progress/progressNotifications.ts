/** Progress of the calls whose request carries a progress token. */
import {
  audit,
  buffer,
  connect,
  groupBy,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  takeUntil,
} from 'rxjs';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { Notification } from '../../../protocol/jsonrpc/messages';
import { flatten } from '../../../streams/flatten';
import { mapMany } from '../../../streams/mapMany';
import { ofKind } from '../../../streams/ofKind';
import type { CallOutput } from '../../calls/step';
import type { Face } from '../../faces/faceOf';
import type { Caller } from '../caller';
import type { McpDeps } from '../mcpDeps';
import { progressBeat, type Update } from './progressBeat';
import { LASTING, progressText } from './progressText';

/** Steps wait this long; those just before the response are left out, as clients forget a token with its response. */
const STEP_AFTER_MS = 20;

export type ProgressDeps = Pick<Face, 'extended'> & Pick<McpDeps, 'after'>;

/**
 * Emits a notification soon after each step of a turn, and every 5 s besides, as long as the request waits. Completes when
 * the source has and no request waits. A face that is not `extended` has the beat only: old releases sent no progress, but clients wait
 * longer where they get some.
 *   in   b-n--------------z    (b begun, n an event that is a step, z finished)
 *   out  -- 20ms N -- 5s N
 */
export const progressNotifications =
  ({ extended, after }: ProgressDeps): OperatorFunction<CallOutput<Caller>, Notification> =>
  (output$) =>
    output$.pipe(
      mapMany(toUpdates),
      // groupBy holds on to its source while a group is open, so it gets one of its own that ends with the subscriber.
      connect((update$) =>
        update$.pipe(groupBy(({ caller }) => caller, { duration: (own$) => own$.pipe(ofKind('over')) })),
      ),
      mergeMap((own$) =>
        (extended ? progressOf : progressBeat)(after, own$).pipe(
          map((message, sent) => toNotification(own$.key, message, sent + 1)),
        ),
      ),
    );

const NO_UPDATES: readonly Update[] = [];

const toUpdates = (output: CallOutput<Caller>): readonly Update[] => {
  const { caller } = output.call;
  if (caller.token === undefined) return NO_UPDATES;
  switch (output.kind) {
    case 'begun':
      return [
        {
          kind: 'started',
          caller,
          doing: 'start' in output.op.thread ? 'starting' : 'waiting for the thread',
          lasts: true,
        },
      ];
    case 'resumed':
      return [{ kind: 'started', caller, doing: 'working', lasts: true }];
    case 'event':
      return output.delivery === 'missed' ? NO_UPDATES : toStep(caller, output.event.msg);
    case 'suspended':
    case 'cancelled':
    case 'finished':
      return [{ kind: 'over', caller }];
    default:
      return NO_UPDATES;
  }
};

const toStep = (caller: Caller, msg: EventMsg): readonly Update[] => {
  if (msg.type === 'exec_command_output_delta') return [{ kind: 'output', caller, chunk: msg.chunk }];
  const doing = progressText(msg);
  return doing === undefined ? NO_UPDATES : [{ kind: 'step', caller, doing, lasts: LASTING.has(msg.type) }];
};

/** The texts for one request. */
const progressOf = (after: McpDeps['after'], update$: Observable<Update>): Observable<string> => {
  const step$ = update$.pipe(ofKind('step'));
  const steps$ = step$.pipe(
    buffer(step$.pipe(audit(() => after(STEP_AFTER_MS)))),
    flatten(),
    map(({ doing }) => doing),
    takeUntil(update$.pipe(ofKind('over'))),
  );
  return merge(steps$, progressBeat(after, update$));
};

const toNotification = ({ token }: Caller, message: string, progress: number): Notification => ({
  kind: 'notification',
  method: 'notifications/progress',
  params: { progressToken: token, progress, message },
});
