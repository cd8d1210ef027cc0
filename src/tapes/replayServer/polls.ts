/** The polls of tasks, for a played server: a poll is answered by the recorded poll of the state that the task is in. */
import { groupBy } from '../session/groupBy';
import type { SessionIndex } from '../session/sessionIndex';
import { changedTask, polledStates, polledTask, tasksOf } from '../session/sessionTasks';

type Poll = { line: number; state: string };

/** What the client sent about one task, by lines of the client. */
type PolledTask = {
  /** The call that was answered with the task; absent if the task is older than the session. */
  created?: number;
  polls: readonly Poll[];
  /** The lines that changed the task. */
  changes: readonly number[];
};

/** The polls of a recording. */
export type Polls = {
  /** True for a line of the client that only polls. */
  isPoll: (line: number) => boolean;
  /** The task of each id that was polled. */
  tasks: ReadonlyMap<string, PolledTask>;
};

/** Finds the polls of a recording; linear in its length. */
export const toPolls = (index: SessionIndex): Polls => {
  const { clientLines } = index;
  const polled = clientLines.map(({ messages }) => (messages.length === 1 ? polledTask(messages[0]) : undefined));
  const changed = clientLines.map(({ messages: [message] }) => changedTask(message));
  const states = polledStates(index);
  const changes = groupBy(changed.keys(), (line) => changed[line]);
  const created = new Map(
    tasksOf(index).map(({ taskId, call }) => [taskId, index.messages[index.calls[call]?.request ?? -1]?.line]),
  );
  const tasks = [...groupBy(polled.keys(), (line) => polled[line])].flatMap(([taskId, lines]) =>
    taskId === undefined
      ? []
      : [
          [
            taskId,
            {
              created: created.get(taskId),
              polls: lines.map((line) => ({ line, state: states.get(line)?.state ?? '' })),
              changes: changes.get(taskId) ?? [],
            },
          ] as const,
        ],
  );
  return { isPoll: (line) => polled[line] !== undefined, tasks: new Map(tasks) };
};

type Progress = {
  /** When the n-th recorded line of the client came, in ms; undefined if it did not. */
  arrivedMs: (line: number) => number | undefined;
  /** When this poll comes. */
  nowMs: number;
  /** When recorded lines were sent, in ms. */
  recordedMs: (line: number) => number;
  /** A multiple of the recorded pace; with `max` each poll shows the next state. */
  speed: number | 'max';
};

/** The recorded poll that answers a poll now: between the changes that came and the others. States keep their order; the last is repeated. */
export const choosePoll = (task: PolledTask, progress: Progress): number | undefined => {
  const { polls, changes } = task;
  const came = changes.filter((line) => progress.arrivedMs(line) !== undefined);
  const last = came.at(-1) ?? -1;
  const next = changes.find((line) => line > last) ?? Number.POSITIVE_INFINITY;
  const before = polls.filter(({ line }) => line < next);
  const open = before.filter(({ line }) => line > last);
  if (open.length === 0) return before.at(-1)?.line ?? polls[0]?.line;
  const at = open.findLastIndex(({ line }) => progress.arrivedMs(line) !== undefined);
  const since = last === -1 ? task.created : last;
  return (progress.speed === 'max' ? nextState(open, at) : stateAt(open, { at, since, progress }))?.line;
};

const nextState = (open: readonly Poll[], at: number): Poll | undefined =>
  at === -1 ? open[0] : (open.slice(at).find(({ state }) => state !== open[at]?.state) ?? open[at]);

type Place = { at: number; since: number | undefined; progress: Progress };

/** The state that the task had after as much of the recorded time. */
const stateAt = (open: readonly Poll[], { at, since, progress }: Place): Poll | undefined => {
  const { arrivedMs, nowMs, recordedMs, speed } = progress;
  const sinceMs = since === undefined ? undefined : arrivedMs(since);
  if (since === undefined || sinceMs === undefined) return open[Math.min(at + 1, open.length - 1)];
  const elapsedMs = (nowMs - sinceMs) * Number(speed);
  const reached = open.findLastIndex(({ line }) => recordedMs(line) - recordedMs(since) <= elapsedMs);
  return open[Math.max(reached, at, 0)];
};
