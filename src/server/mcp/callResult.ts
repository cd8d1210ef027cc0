/** Owns what a call comes to, as the result of the request that waits for it. */
import type { CallToolResult, Outgoing, Told } from '../../protocol';
import { type AttendDeps, type Attended, withdraw } from './attended';
import { serverMeta } from './method';

/** What a call comes to. `threadId` is '' when no thread was begun. */
export type Result = { threadId: string; text: string; failed: boolean };

/** A result that says what went wrong. */
export const failure = (threadId: string, text: string): Result => ({ threadId, text, failed: true });

/** What the last event of a turn comes to. */
export const resultOf = ({ error, declined }: Attended, { threadId, msg }: Told): Result => {
  if (error !== undefined) return failure(threadId, error);
  if (msg.type === 'turn_aborted') return failure(threadId, ['The turn was stopped.', ...declined].join('\n'));
  const said = (msg.type === 'task_complete' && msg.last_agent_message) || '';
  const notes = declined.map((note) => `Not done: ${note}`);
  return { threadId, text: [...(said === '' ? [] : [said]), ...notes].join('\n\n'), failed: false };
};

/** Answers the waiting request; the thread id is in the text of a failure too, as some hosts show nothing else. */
export const finish = ({ face }: AttendDeps, each: Attended, { threadId, text, failed }: Result): Outgoing[] => {
  if (!each.listening || each.cancelled) return [];
  const { id, batch, era } = each.call;
  const shown = failed && threadId !== '' && face.structured ? `${text}\n\nthreadId: ${threadId}` : text;
  const result: CallToolResult = {
    content: [{ type: 'text', text: shown }],
    ...(face.structured && threadId !== '' && { structuredContent: { threadId, content: text } }),
    ...(failed && { isError: true }),
  };
  const whole = era.modern ? { resultType: 'complete', ...result, _meta: serverMeta(face) } : result;
  return [
    ...withdraw(each, [...each.questions.keys()], 'the call is over'),
    { kind: 'response', id, batch, result: whole },
  ];
};
