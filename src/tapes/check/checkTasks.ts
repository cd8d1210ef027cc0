/** Finds tasks of a recorded session that have no end, and polls of tasks that the server does not know. */
import { wordOf } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { clip } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import type { SessionFold } from '../session/readParts';
import type { IndexedMessage, SessionIndex } from '../session/sessionIndex';
import { changedTask, isEndOfTask, polledTask, shownTask, tasksOf } from '../session/sessionTasks';
import type { Finding } from './finding';

/** A task that was not seen to end, and whose client has not asked for its end. */
type OpenTask = {
  /** The request whose call it is. */
  request: Pick<Finding, 'lineNumber' | 'what'>;
  /** The status that was seen last. */
  status: unknown;
};

/** By task id, so that each is named once. */
type Seen = { open: Map<string, OpenTask>; unknown: Map<string, Finding> };

/** What is wrong with the tasks of a session. A task may end in a later part than it began. */
export const taskChecker = (): SessionFold<Finding[]> => {
  const seen: Seen = { open: new Map(), unknown: new Map() }; // both change in place
  return {
    add: ({ index }) => {
      for (const { taskId, call } of tasksOf(index))
        seen.open.set(taskId, { request: requestOf(index, call), status: '' });
      for (const { message } of index.messages) follow(seen, message);
      for (const one of findUnknown(index))
        if (!seen.unknown.has(one.taskId)) seen.unknown.set(one.taskId, one.finding);
    },
    end: () => [...[...seen.open.values()].map(toFinding), ...seen.unknown.values()],
  };
};

const requestOf = ({ calls, messages }: SessionIndex, call: number): OpenTask['request'] => {
  const { lineNumber, message } = messages[calls[call]?.request ?? -1] as IndexedMessage;
  return { lineNumber, what: labelOf(message) };
};

const follow = ({ open }: Seen, message: IndexedMessage['message']): void => {
  const shown = shownTask(message);
  const task = open.get(wordOf(shown?.taskId));
  if (task !== undefined) task.status = shown?.status;
  if (shown !== undefined && isEndOfTask(shown)) open.delete(wordOf(shown.taskId));
  if (message.kind === 'request' && message.method === 'tasks/cancel') open.delete(changedTask(message) ?? '');
};

const toFinding = ({ request, status }: OpenTask): Finding => ({
  rule: 'hung',
  ...request,
  text: `its task was never seen to end; the last status was ${nameOf(status)}`,
});

const MAX_CHARS = 100;

const nameOf = (value: unknown): string => toVisible(clip(wordOf(value), MAX_CHARS));

/** A client that polls such a task waits in vain. */
const findUnknown = (index: SessionIndex): { taskId: string; finding: Finding }[] =>
  index.calls.flatMap(({ response }, at) => {
    const taskId = polledTask(index.messages[index.calls[at]?.request ?? -1]?.message);
    const answer = index.messages[response ?? -1]?.message;
    if (taskId === undefined || answer?.kind !== 'response' || !('error' in answer.body)) return [];
    const text = `the server knows no task ${nameOf(taskId)}`;
    return [{ taskId, finding: { rule: 'hung', ...requestOf(index, at), text } }];
  });
