/** Reports the end of a turn to the program that the operator configured as `notify`. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { Event } from '../protocol/codex/events';
import { textOf } from '../protocol/codex/input';
import { clip } from '../streams/text/trim';
import type { InputTurn } from './turn/runTurn';

/** A program and its arguments, and the folder of the thread; programs in that folder are not used. */
export type Notification = { argv: readonly string[]; workspace: string };

/** @param notify starts a program and does not wait for it; never throws */
export type NotifyDeps = { notify: (notification: Notification) => void };

/**
 * Starts the program after the last event of a turn that completed without an error. Emits the events unchanged.
 *   in      s-m-z        s-m-ez      (s task_started, m a message, e error, z task_complete)
 *   notify  ----n        ------
 * Source: Codex 0.28.0, CORE 5.8; there `input-messages` held older messages of the model. `thread-id` and `cwd`: 0.142.0.
 */
export const notifyTurn = ({ notify }: NotifyDeps, turn: InputTurn): MonoTypeOperatorFunction<Event> => {
  const { notify: argv, cwd } = turn.thread.config;
  if (argv === undefined) return (event$) => event$;
  return (event$) => {
    let failed = false; // within one turn
    return event$.pipe(
      tap((event) => {
        if (event.kind !== 'event') return;
        if (event.msg.type === 'error') failed = true;
        if (event.msg.type !== 'task_complete' || failed) return;
        notify({ argv: [...argv, toPayload(turn, event.msg.last_agent_message)], workspace: cwd });
      }),
    );
  };
};

/** Linux accepts at most 128 KiB for one argument. */
const MAX_BYTES = 120_000;
const MAX_CHARS = [100_000, 10_000, 1_000];

const toPayload = ({ thread, turnId, op }: InputTurn, last: string | null): string => {
  const shortened = (maxChars: number): string =>
    JSON.stringify({
      type: 'agent-turn-complete',
      'thread-id': thread.id,
      'turn-id': turnId,
      cwd: thread.config.cwd,
      'input-messages': [clip(textOf(op.input), maxChars)],
      'last-assistant-message': last === null ? null : clip(last, maxChars),
    });
  const forms = MAX_CHARS.map(shortened);
  return forms.find((text) => Buffer.byteLength(text) <= MAX_BYTES) ?? shortened(100);
};
