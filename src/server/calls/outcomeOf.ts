/** The outcome of a call. */
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { SkippedAction, Turn } from './turn';

/** The event that ends a call. */
export type LastEvent = CodexEvent | Extract<Event, { kind: 'rejected' | 'done' | 'joined' }>;

/**
 * `completed` with the agent's last message, `failed` with the engine's error, `aborted` by its caller or at a question,
 * `rejected` before there was a turn, `stopped` by the end of the connection; `done` of an operation that is no turn, `joined` of an
 * input that the model got in the turn of another call. `threadId` is absent where no thread was begun.
 */
export type Outcome =
  | { kind: 'completed'; threadId: string; text: string; notDone: readonly SkippedAction[] }
  | { kind: 'failed'; threadId: string; message: string; notDone: readonly SkippedAction[] }
  | { kind: 'aborted'; threadId: string; notDone: readonly SkippedAction[] }
  | { kind: 'stopped'; threadId?: string; cause: string; notDone: readonly SkippedAction[] }
  | { kind: 'done'; threadId: string }
  | { kind: 'joined'; threadId: string; turnCallId: string }
  | { kind: 'rejected'; message: string };

/** The outcome of a turn with this last event. */
export const outcomeOf = ({ error, notDone }: Turn, last: LastEvent): Outcome => {
  if (last.kind === 'rejected') return { kind: 'rejected', message: last.message };
  if (last.kind === 'done') return { kind: 'done', threadId: last.threadId };
  if (last.kind === 'joined') return { kind: 'joined', threadId: last.threadId, turnCallId: last.turnCallId };
  const { threadId, msg } = last;
  if (error !== undefined) return { kind: 'failed', threadId, message: error, notDone };
  if (msg.type === 'turn_aborted') return { kind: 'aborted', threadId, notDone };
  const text = (msg.type === 'task_complete' && msg.last_agent_message) || '';
  return { kind: 'completed', threadId, text, notDone };
};
