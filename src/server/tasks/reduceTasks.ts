/**
 * The state of the tasks of a connection: which calls may become tasks, which are tasks, and what these ask. A pure reducer next to the reducer of
 * calls: it gets the outputs of those calls and the requests of their clients, and knows neither time nor disk.
 */
import type { ReviewResult } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../protocol/codex/events';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Call } from '../calls/calls';
import { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from '../calls/persistentMap';
import type { CallInput, CallOutput } from '../calls/step';
import type { Outcome } from '../calls/turn';

/** A question of a task. */
export type TaskQuestion = {
  /** Its id in the engine. */
  question: number;
  event: CodexEvent;
  /** Why the last answer to it was not understood; absent if there was none. */
  reason?: string;
};

/** A call that is a task, or may become one. */
export type TaskState<C> = {
  call: Call<C>;
  /** `waiting`: its request waits; `open`: the request was answered with the task; `plain`: no task can be kept, the request waits on. */
  phase: 'waiting' | 'open' | 'plain';
  /** Absent until the thread is known. */
  threadId?: string;
  /** What the agent does now; absent before its first step. */
  doing?: string;
  /** The last steps, oldest first. */
  steps: readonly string[];
  /** The open questions, by keys that are never used twice. */
  questions: ReadonlyMap<string, TaskQuestion>;
  /** How many questions were asked, the repeated ones included. */
  asked: number;
};

/** How a task ended. */
type TaskEnd = { kind: 'finished'; outcome: Outcome } | { kind: 'cancelled' };

/** The calls that are tasks, or may become tasks, by callId. */
export type Tasks<C> = PersistentMap<TaskState<C>>;

/** What changes the tasks. The id of a task is the id of its call. */
export type TaskInput<C> =
  | CallOutput<C>
  /** The time that a call has for an answer without a task is over. */
  | { kind: 'taskDue'; taskId: string }
  | { kind: 'taskUpdate'; taskId: string; responses: JsonObject }
  | { kind: 'taskCancel'; taskId: string };

/** A task as it is now: to be kept and shown. `isNew`: its request is answered with it. */
export type TaskChange<C> = { kind: 'task'; task: TaskState<C>; isNew?: true; end?: TaskEnd };

/** One step. `output` holds what the waiting requests still get; `inputs` go to the reducer of calls. */
type TaskStep<C> = {
  state: Tasks<C>;
  output: readonly (CallOutput<C> | TaskChange<C>)[];
  inputs: readonly CallInput<C>[];
};

/** What an answer means: a verdict, or why it is not understood. */
export type TaskAnswer = ReviewResult | { unfit: string };

export type TaskDeps<C> = {
  /** What an event says of what the agent does now, as one line; undefined if it says nothing. */
  doing: (msg: EventMsg) => string | undefined;
  readAnswer: (msg: EventMsg, response: unknown) => TaskAnswer;
  /** Makes a task that survives this process, as it is now. False if it cannot be kept. */
  claim: (task: TaskState<C>) => boolean;
};

/** How many of its last steps a task remembers. */
const MAX_STEPS = 20;

const NO_DISK: ReviewResult = {
  decision: 'denied',
  reason: 'the client cannot be asked (its task cannot be kept on the disk of the server)',
};

/** The state without tasks. */
export const noTasks = <C>(): Tasks<C> => emptyMap();

/** `(deps) => (state, input) => step`, for the outputs of calls that ask by a task, and for the requests about tasks. */
export const reduceTasks =
  <C>(deps: TaskDeps<C>) =>
  (state: Tasks<C>, input: TaskInput<C>): TaskStep<C> => {
    if ('call' in input) return receiveOutput(deps, state, input);
    const task = getValue(state, input.taskId);
    if (task === undefined) return toStep(state);
    switch (input.kind) {
      case 'taskDue':
        return task.phase === 'waiting' ? openTask(deps, state, task) : toStep(state);
      case 'taskUpdate':
        return task.phase === 'open' ? answer(deps, state, { task, responses: input.responses }) : toStep(state);
      case 'taskCancel':
        return task.phase === 'open'
          ? { ...toStep(state), inputs: [{ kind: 'stop', callId: input.taskId }] }
          : toStep(state);
    }
  };

const toStep = <C>(state: Tasks<C>, output: TaskStep<C>['output'] = []): TaskStep<C> => ({ state, output, inputs: [] });

const receiveOutput = <C>(deps: TaskDeps<C>, state: Tasks<C>, output: CallOutput<C>): TaskStep<C> => {
  const { call } = output;
  if (output.kind === 'begun') return toStep(withValue(state, call.callId, newTask(call)), [output]);
  const task = getValue(state, call.callId);
  if (task === undefined) return toStep(state, [output]);
  switch (output.kind) {
    case 'event':
      return receiveEvent(deps, state, { task, output });
    case 'question':
      return ask(deps, state, { task, question: output.question, event: output.event });
    case 'withdrawn':
      return withdraw(state, task, output.questions);
    case 'finished':
    case 'cancelled':
      return end(state, task, output);
    case 'detached':
      return toStep(state, [output]);
    default:
      return toStep(state, task.phase === 'open' ? [] : [output]);
  }
};

const newTask = <C>(call: Call<C>): TaskState<C> => ({
  call,
  phase: 'waiting',
  steps: [],
  questions: new Map(),
  asked: 0,
});

const put = <C>(state: Tasks<C>, task: TaskState<C>): Tasks<C> => withValue(state, task.call.callId, task);

/** The step after which a task is as given; an open one is kept and shown. */
const change = <C>(state: Tasks<C>, task: TaskState<C>): TaskStep<C> =>
  toStep(put(state, task), task.phase === 'open' ? [{ kind: 'task', task }] : []);

type OfEvent<C> = { task: TaskState<C>; output: Extract<CallOutput<C>, { kind: 'event' }> };

/** Most events say nothing new, and change nothing. */
const receiveEvent = <C>(deps: TaskDeps<C>, state: Tasks<C>, { task, output }: OfEvent<C>): TaskStep<C> => {
  const { threadId, msg } = output.event;
  const passed = task.phase === 'open' ? [] : [output];
  const doing = deps.doing(msg);
  if (doing === undefined && task.threadId !== undefined) return toStep(state, passed);
  const steps = doing === undefined ? task.steps : [...task.steps, doing].slice(-MAX_STEPS);
  const step = change(state, { ...task, threadId, doing: doing ?? task.doing, steps });
  return { ...step, output: [...passed, ...step.output] };
};

/** The request is answered with the task, which is kept first. */
const openTask = <C>(deps: TaskDeps<C>, state: Tasks<C>, waiting: TaskState<C>): TaskStep<C> => {
  const task: TaskState<C> = { ...waiting, phase: 'open' };
  if (!deps.claim(task)) return toStep(put(state, { ...waiting, phase: 'plain' }));
  const { callId } = task.call;
  return {
    state: put(state, task),
    output: [{ kind: 'task', task, isNew: true }],
    inputs: [{ kind: 'detach', callId }],
  };
};

type Asked<C> = { task: TaskState<C>; question: number; event: CodexEvent };

/** A call that asks becomes a task at once. */
const ask = <C>(deps: TaskDeps<C>, state: Tasks<C>, { task, question, event }: Asked<C>): TaskStep<C> => {
  const asking = withQuestion(task, { question, event });
  if (task.phase === 'open') return change(state, asking);
  const opened = task.phase === 'waiting' ? openTask(deps, state, asking) : toStep(state);
  const isOpen = getValue(opened.state, task.call.callId)?.phase === 'open';
  return isOpen ? opened : { ...opened, inputs: [{ kind: 'answered', question, verdict: NO_DISK }] };
};

/** Each time a question is asked it gets a new key, because clients answer a key once. */
const withQuestion = <C>(task: TaskState<C>, asked: TaskQuestion): TaskState<C> => ({
  ...task,
  questions: new Map(task.questions).set(`question-${task.asked + 1}`, asked),
  asked: task.asked + 1,
});

const withdraw = <C>(state: Tasks<C>, task: TaskState<C>, questions: readonly number[]): TaskStep<C> => {
  const left = [...task.questions].filter(([, { question }]) => !questions.includes(question));
  return left.length === task.questions.size ? toStep(state) : change(state, { ...task, questions: new Map(left) });
};

type Ended<C> = Extract<CallOutput<C>, { kind: 'finished' | 'cancelled' }>;

/** A call that ends while its request waits is answered as if there were no tasks. */
const end = <C>(state: Tasks<C>, task: TaskState<C>, output: Ended<C>): TaskStep<C> => {
  const rest = withoutKey(state, task.call.callId);
  if (task.phase !== 'open') return toStep(rest, [output]);
  const ended: TaskEnd =
    output.kind === 'finished' ? { kind: 'finished', outcome: output.outcome } : { kind: 'cancelled' };
  return toStep(rest, [{ kind: 'task', task: { ...task, questions: new Map() }, end: ended }]);
};

type Answers<C> = { task: TaskState<C>; responses: JsonObject };

/** Answers under keys that are not open have no effect. An answer that is not understood leads to the same question under a new key. */
const answer = <C>(deps: TaskDeps<C>, state: Tasks<C>, { task, responses }: Answers<C>): TaskStep<C> => {
  let next = task;
  const inputs: CallInput<C>[] = [];
  for (const [key, asked] of task.questions) {
    if (!Object.hasOwn(responses, key)) continue;
    const { question, event } = asked;
    const verdict = deps.readAnswer(event.msg, responses[key]);
    next = { ...next, questions: new Map([...next.questions].filter(([open]) => open !== key)) };
    if ('unfit' in verdict) next = withQuestion(next, { question, event, reason: verdict.unfit });
    else inputs.push({ kind: 'answered', question, verdict });
  }
  return next === task ? toStep(state) : { ...change(state, next), inputs };
};
