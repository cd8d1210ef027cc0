/** Owns the last moments of a turn: when it is really over, and what is said then. */
import { delay, EMPTY, type Observable, of } from 'rxjs';
import type { EventMsg } from '../protocol/codex';
import { closeOpen } from './endItem';
import type { End } from './endOf';
import type { Heard } from './heard';

/** Why a turn is stopped from this side: its caller took it back, or `message` says what went wrong. */
export type Stop = { kind: 'interrupted' } | { kind: 'late'; message: string };

/** The turn is over; nothing of it is waited for any more. */
export type Over = { kind: 'over'; end: End | Stop };

/** After a final error the server says by itself that the turn is over, but not always. */
const LAST_WORD_MS = 2_000;
/** A command may end a little after its turn. Source: codex app-server 0.142.0. */
const LATE_COMMAND_MS = 300;

/** True while a command has begun and not ended. */
export const isRunning = ({ open }: Heard): boolean =>
  [...open.values()].some(({ type }) => type === 'commandExecution');

/** Emits when a turn that the server said to be ending is over; nothing where it said no such thing. */
export const ending = (heard: Heard, end: End | undefined): Observable<Over> => {
  if (end === undefined) return EMPTY;
  const over$ = of<Over>({ kind: 'over', end });
  if (end.kind === 'failed' && end.soon) return over$.pipe(delay(LAST_WORD_MS));
  return end.kind === 'completed' && isRunning(heard) ? over$.pipe(delay(LATE_COMMAND_MS)) : over$;
};

/** The last events of a turn: what was left open ends, then the turn. */
export const lastWords = (heard: Heard, end: End | Stop): EventMsg[] => {
  const closed = closeOpen(heard);
  switch (end.kind) {
    case 'completed':
      return [...closed, { type: 'task_complete', last_agent_message: heard.said }];
    case 'interrupted':
      return [...closed, { type: 'turn_aborted', reason: 'interrupted' }];
    case 'late':
      return [...closed, { type: 'error', message: end.message }, { type: 'turn_aborted', reason: 'interrupted' }];
    case 'failed':
      return [...closed, { type: 'error', message: end.message }, { type: 'task_complete', last_agent_message: null }];
  }
};
