/** What the messages of a server mean for the running turn: which belong to it, which end it, and that its model cannot be reached. */
import {
  distinctUntilKeyChanged,
  EMPTY,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  pipe,
  scan,
  switchMap,
  timer,
} from 'rxjs';
import type { Notification, Request } from '../../../protocol/jsonrpc/messages';
import { flatten } from '../../../streams/gather';
import { inputFirst } from '../../../streams/time/limits';
import type { TurnEnd, TurnStop } from '../../turns/turnEvents';
import { isTurnStart, type ServerMessage, turnIdOf } from '../connection/link';
import { ErrorParams, read, TurnEndParams } from '../shapes';

/** The id of the turn is known: from the response to `turn/start`, or from `turn/started`, which may come first. */
export type TurnBegun = { kind: 'begun'; turnId: string };

/** A request of the thread that belongs to another turn. */
export type ForeignRequest = { kind: 'foreign'; request: Request };

export type TurnMessage = ServerMessage | TurnBegun | ForeignRequest;

export type Selection =
  | {
      kind: 'starting';
      /** Identifies late messages of the previous turn. */
      previousTurnId: string;
    }
  | { kind: 'started'; turnId: string };

type Selected = { selection: Selection; output: TurnMessage[] };

/**
 * The selection after a message, and the message if it belongs to the turn. A message that names no turn belongs to the current turn. While the id of
 * that turn is not known, so does the message that starts it, and no other.
 * Source: codex app-server 0.142.0 and 0.169.0, which send the tokens of the last turn when a thread is loaded; a prompt may go
 * into the previous turn, if that has not ended.
 */
export const selectMessage = (selection: Selection, message: ServerMessage | TurnBegun): Selected => {
  if (message.kind === 'begun') return begin(selection, message.turnId);
  const turnId = turnIdOf(message);
  if (turnId === '') return { selection, output: [message] };
  if (selection.kind === 'starting' && isTurnStart(message) && turnId !== selection.previousTurnId) {
    const { output, ...begun } = begin(selection, turnId);
    return { ...begun, output: [...output, message] };
  }
  if (selection.kind === 'started' && turnId === selection.turnId) return { selection, output: [message] };
  return { selection, output: message.kind === 'request' ? [{ kind: 'foreign', request: message }] : [] };
};

const begin = (selection: Selection, turnId: string): Selected =>
  turnId === ''
    ? { selection, output: [] }
    : { selection: { kind: 'started', turnId }, output: [{ kind: 'begun', turnId }] };

/**
 * Emits the messages that belong to the turn. Completes and errors with the source.
 *   in   -m-b-m-n---|     (b the response to turn/start, m of this turn, n of another)
 *   out  ---b-m-----|
 */
export const selectTurn = (previousTurnId: string): OperatorFunction<ServerMessage | TurnBegun, TurnMessage> =>
  pipe(
    scan(({ selection }: Selected, message: ServerMessage | TurnBegun) => selectMessage(selection, message), {
      selection: { kind: 'starting', previousTurnId },
      output: [],
    }),
    map(({ output }) => output),
    flatten(),
  );

/** How the server ends a turn; `completed` becomes `finished` with the agent's last message. */
export type ServerEnd = { kind: 'completed' } | Extract<TurnEnd, { kind: 'failed' | 'interrupted' }>;

export type AnnouncedEnd = {
  end: ServerEnd;
  /** The server sends nothing more about it. */
  isConfirmed: boolean;
};

const failed = ({ message, additionalDetails }: { message: string; additionalDetails: string }): ServerEnd => ({
  kind: 'failed',
  message: [message || 'The turn failed.', additionalDetails].filter(Boolean).join('\n'),
});

/** The end that a notification announces. Source: codex app-server: a final `error` comes just before `turn/completed`, or alone. */
export const turnEndOf = ({ method, params }: Pick<Notification, 'method' | 'params'>): AnnouncedEnd | undefined => {
  if (method === 'error') {
    const { error, willRetry } = read(ErrorParams, params);
    return willRetry ? undefined : { end: failed(error), isConfirmed: false };
  }
  if (method !== 'turn/completed') return undefined;
  const { status, error } = read(TurnEndParams, params).turn;
  if (status === 'failed') return { end: failed(error), isConfirmed: true };
  return { end: { kind: status === 'interrupted' ? 'interrupted' : 'completed' }, isConfirmed: true };
};

/** An error after which the server tries again, or a sign that the model answers. */
type Sign = { kind: 'retry'; reason: string } | { kind: 'answer'; reason: '' };

const signOf = (message: TurnMessage): Sign[] => {
  if (message.kind !== 'notification') return [];
  if (message.method.startsWith('item/')) return [{ kind: 'answer', reason: '' }];
  if (message.method !== 'error') return [];
  const { error, willRetry } = read(ErrorParams, message.params);
  return willRetry ? [{ kind: 'retry', reason: error.message }] : [];
};

/**
 * Emits when the server has been retrying for `waitMs` and the model gave no sign in between.
 *   in   -e--e-i-e---     (e an error that is retried, i a notification about an item)
 *   out  ------------L    (counted from the first e of a series)
 * Source: codex app-server 0.154.0 and 0.169.0, which wait for the network endlessly.
 */
export const modelUnreachable =
  (waitMs: number): OperatorFunction<TurnMessage, TurnStop> =>
  (message$: Observable<TurnMessage>) =>
    message$.pipe(
      mergeMap(signOf),
      distinctUntilKeyChanged('kind'),
      switchMap(({ kind, reason }) => (kind === 'retry' ? timer(waitMs, inputFirst).pipe(map(() => reason)) : EMPTY)),
      map((reason) => ({
        kind: 'expired',
        message: `The model could not be reached for ${waitMs / 1000} s and the turn was stopped. ${reason}`.trim(),
      })),
    );
