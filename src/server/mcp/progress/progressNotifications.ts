/** Progress of the calls whose request carries a progress token. */
import { stripVTControlCharacters } from 'node:util';
import {
  audit,
  buffer,
  connect,
  filter,
  groupBy,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  repeat,
  scan,
  takeUntil,
} from 'rxjs';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { Notification } from '../../../protocol/jsonrpc/messages';
import { flatten, mapMany } from '../../../streams/gather';
import { ofKind } from '../../../streams/ofKind';
import { clip } from '../../../streams/text/trim';
import { toVisible } from '../../../streams/text/visible';
import type { CallOutput } from '../../calls/step';
import { stepText } from '../../calls/stepText';
import type { Face } from '../../faces/faceOf';
import type { Caller } from '../caller';
import type { McpDeps } from '../mcpDeps';

/** Steps wait this long. Steps just before the response are left out, as clients forget a token with its response. */
const STEP_AFTER_MS = 20;

type ProgressDeps = Pick<Face, 'extended'> & Pick<McpDeps, 'after'>;

/**
 * Emits a notification soon after each step of a turn, and every 5 s, as long as the request waits. Completes when the source has and no request
 * waits. A face that is not `extended` only gets the notifications every 5 s: old releases sent no progress, but clients wait longer if they get some.
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
    case 'begun': {
      const doing = 'start' in output.op.thread ? 'starting' : 'waiting for the thread';
      return [{ kind: 'started', caller, doing, lasts: true }];
    }
    case 'resumed':
      return [{ kind: 'started', caller, doing: 'working', lasts: true }];
    case 'event':
      return output.delivery === 'live' || output.delivery === 'replayed'
        ? toStep(caller, output.event.msg)
        : NO_UPDATES;
    case 'suspended':
    case 'paused':
    case 'detached':
    case 'cancelled':
    case 'finished':
      return [{ kind: 'over', caller }];
    default:
      return NO_UPDATES;
  }
};

const toStep = (caller: Caller, msg: EventMsg): readonly Update[] => {
  if (msg.type === 'exec_command_output_delta') return [{ kind: 'output', caller, chunk: msg.chunk }];
  const doing = stepText(msg);
  return doing === undefined ? NO_UPDATES : [{ kind: 'step', caller, doing, lasts: LASTING.has(msg.type) }];
};

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
  params: { progressToken: token, progress, message: toVisible(message) },
});

const MAX_CHARS = 100;

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

const EVERY_MS = 5_000;

type Doing = {
  caller: Caller;
  /** As a short text. */
  doing: string;
  /** True if it goes on until the next step; else it is done already. */
  lasts: boolean;
};

/** What changes the progress of a waiting request. `output`: a chunk that a command printed. */
export type Update =
  | ({ kind: 'started' } & Doing)
  | ({ kind: 'step' } & Doing)
  | { kind: 'output'; caller: Caller; chunk: Uint8Array }
  | { kind: 'over'; caller: Caller };

type Beat = {
  /** The newest step. */
  step?: Doing;
  /** What its command printed last. */
  chunk?: Uint8Array;
  /** Number of beats since the step began. */
  beats: number;
  /** True if the last input was a beat. */
  isBeat: boolean;
};

const TICK = { kind: 'tick' } as const;

/**
 * Emits a text every 5 s while the request waits: the newest step, from the second text on how long ago it began, and the last line that its command
 * printed.
 *   in   s----o------z     (s the step `running: x`, o its output, z over)
 *   out  -- 5s A -- 5s B   (A `running: x: o`, B `running: x (over 5 s): o`)
 */
export const progressBeat = (after: McpDeps['after'], update$: Observable<Update>): Observable<string> =>
  merge(
    update$,
    after(EVERY_MS).pipe(
      repeat(),
      map(() => TICK),
    ),
  ).pipe(
    scan<Update | typeof TICK, Beat>(addUpdate, { beats: 0, isBeat: false }),
    filter(({ isBeat }) => isBeat),
    map(toText),
    takeUntil(update$.pipe(ofKind('over'))),
  );

const addUpdate = (beat: Beat, update: Update | typeof TICK): Beat => {
  switch (update.kind) {
    case 'tick':
      return { ...beat, beats: beat.beats + 1, isBeat: beat.step !== undefined };
    case 'output':
      return { ...beat, chunk: update.chunk, isBeat: false };
    case 'over':
      return { ...beat, isBeat: false };
    default:
      return { step: update, beats: 0, isBeat: false };
  }
};

const toText = ({ step, chunk, beats }: Beat): string => {
  const { doing = '', lasts = true } = step ?? {};
  const seconds = ((beats - 1) * EVERY_MS) / 1000;
  const age = beats > 1 ? ` (over ${seconds} s${lasts ? '' : ' ago'})` : '';
  const line = chunk === undefined || !lasts ? '' : lastLineOf(chunk);
  return `${doing}${age}${line === '' ? '' : `: ${line}`}`;
};

const MAX_BYTES = 1_024;

/** The last line that is not empty, without terminal control sequences. */
const lastLineOf = (chunk: Uint8Array): string => {
  const text = stripVTControlCharacters(Buffer.from(chunk.subarray(-MAX_BYTES)).toString());
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return clip(lines.findLast((line) => line !== '') ?? '', MAX_CHARS);
};
