/** Finds tasks of a recorded session that have no end, and polls of tasks that the server does not know. */
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { clip } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import type { Call, IndexedMessage, SessionIndex } from '../session/sessionIndex';
import { changedTask, polledTask, type SessionTask, shownTask, tasksOf } from '../session/sessionTasks';
import type { Finding } from './finding';

/** What is wrong with the tasks of a session. */
export const checkTasks = (index: SessionIndex): Finding[] => [...findEndless(index), ...findUnknown(index)];

/** A task whose client asked for its end need not have been seen to end. */
const findEndless = (index: SessionIndex): Finding[] => {
  const cancelled = new Set(
    index.messages.flatMap(({ message }) => (isCancel(message) ? (changedTask(message) ?? []) : [])),
  );
  return tasksOf(index)
    .filter(({ taskId, end }) => end === undefined && !cancelled.has(taskId))
    .map((task) => {
      const request = requestOf(index, index.calls[task.call]);
      return {
        rule: 'hung',
        lineNumber: request.lineNumber,
        what: labelOf(request.message),
        text: endlessText(index, task),
      };
    });
};

const isCancel = (message: IndexedMessage['message']): boolean =>
  message.kind === 'request' && message.method === 'tasks/cancel';

const endlessText = ({ messages }: SessionIndex, { taskId }: SessionTask): string => {
  const last = messages.findLast(({ message }) => shownTask(message)?.taskId === taskId);
  return `its task was never seen to end; the last status was ${nameOf(shownTask(last?.message)?.status)}`;
};

const MAX_CHARS = 100;

const nameOf = (value: unknown): string => toVisible(clip(String(value), MAX_CHARS));

const requestOf = ({ messages }: SessionIndex, call: Call | undefined): IndexedMessage =>
  messages[call?.request ?? -1] as IndexedMessage;

/** A client that polls such a task waits in vain. Each task is named once. */
const findUnknown = (index: SessionIndex): Finding[] => {
  const named = new Set<string>();
  return index.calls.flatMap((call): Finding[] => {
    const { lineNumber, message } = requestOf(index, call);
    const taskId = polledTask(message);
    const answer = index.messages[call.response ?? -1]?.message;
    const isUnknown = answer?.kind === 'response' && 'error' in answer.body;
    if (taskId === undefined || !isUnknown || named.has(taskId)) return [];
    named.add(taskId);
    return [{ rule: 'hung', lineNumber, what: labelOf(message), text: `the server knows no task ${nameOf(taskId)}` }];
  });
};
