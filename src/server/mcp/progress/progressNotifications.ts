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
import { flatten, mapMany } from '../../../streams/gather';
import { ofKind } from '../../../streams/ofKind';
import { joinWords } from '../../../streams/text/words';
import type { CallOutput } from '../../calls/step';
import type { Face } from '../../faces/faceOf';
import type { Caller } from '../caller';
import type { McpDeps } from '../mcpDeps';
import { progressBeat, type Update } from './progressBeat';

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

/** The short text of a progress notification. */
const MAX_CHARS = 100;

type Texts = { [T in EventMsg['type']]?: (msg: Extract<EventMsg, { type: T }>) => string };

/** The events that are a step of a turn, and the text of each. */
const TEXTS: Texts = {
  task_started: () => 'thinking',
  agent_message: ({ message }) => message,
  exec_approval_request: ({ command }) => `waiting for approval: ${joinWords(command)}`,
  apply_patch_approval_request: ({ changes }) => `waiting for approval: changes to ${Object.keys(changes).join(', ')}`,
  elicitation_request: ({ message }) => `waiting for an answer: ${message}`,
  patch_apply_begin: ({ changes }) => `changing ${Object.keys(changes).join(', ')}`,
  mcp_tool_call_begin: ({ invocation }) => `calling ${invocation.server}/${invocation.tool}`,
  web_search_end: ({ query }) => `searched: ${query}`,
  exec_command_begin: ({ command }) => `running: ${joinWords(command)}`,
  exec_command_end: ({ exit_code: exitCode }) => `exit code ${exitCode}`,
  plan_update: ({ plan }) => plan.find(({ status }) => status === 'in_progress')?.step ?? 'plan updated',
  background_event: ({ message }) => message,
  stream_error: ({ message }) => message,
};

/** The events of what goes on until the next step; the others report what is done. */
const LASTING: ReadonlySet<EventMsg['type']> = new Set([
  'task_started',
  'exec_approval_request',
  'apply_patch_approval_request',
  'elicitation_request',
  'patch_apply_begin',
  'mcp_tool_call_begin',
  'exec_command_begin',
]);

/** The first line of what an event says about the work, up to 100 characters; undefined when the event is no step of it. */
export const progressText = <T extends EventMsg['type']>(msg: Extract<EventMsg, { type: T }>): string | undefined => {
  const toText: Texts[T] = TEXTS[msg.type as T];
  return toText === undefined ? undefined : firstLine(toText(msg));
};

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
};
