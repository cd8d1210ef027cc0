import { declaresTasks, isEnded } from '../../../src/protocol/mcp/tasks';
import { demandTasks } from '../../../src/server/mcp/tasksOfCalls';
import { noTasks, reduceTasks, type TaskInput } from '../../../src/server/tasks/reduceTasks';
import { byResult, events, opA, type Waiting } from '../../support/calls';

const call = { ...byResult, asksBy: 'task' } as const;

const deps = { doing: () => 'thinking', readAnswer: () => ({ unfit: 'no choice' }), claim: () => true };

/** What the last of the inputs leads to. */
const last = (given: Partial<typeof deps>, ...inputs: TaskInput<Waiting>[]) => {
  const reduce = reduceTasks<Waiting>({ ...deps, ...given });
  return inputs.reduce((step, input) => reduce(step.state, input), {
    state: noTasks<Waiting>(),
    output: [],
    inputs: [],
  } as ReturnType<typeof reduce>);
};

const begun: TaskInput<Waiting> = { kind: 'begun', call, op: opA };
const due: TaskInput<Waiting> = { kind: 'taskDue', taskId: 'a' };
const started: TaskInput<Waiting> = { kind: 'event', call, event: events.started, delivery: 'live' };
const asked: TaskInput<Waiting> = { kind: 'question', call, question: 7, event: events.question };
const answered: TaskInput<Waiting> = { kind: 'taskUpdate', taskId: 'a', responses: { 'question-1': 'perhaps' } };

describe('reduceTasks', () => {
  it('passes what a waiting request gets, and nothing once the call is a task', () => {
    expect(last({}, begun, started).output).toEqual([started]);
    expect(last({}, begun, due, started).output).toMatchObject([{ kind: 'task', task: { doing: 'thinking' } }]);
    expect(
      last({}, begun, due, { kind: 'deltas', call, event: { ...events.started, kind: 'deltas', msgs: [] } }),
    ).toMatchObject({
      output: [],
      inputs: [],
    });
  });

  it('detaches the call from its request when it becomes a task', () => {
    const { output, inputs } = last({}, begun, started, due);
    expect(output).toMatchObject([{ kind: 'task', isNew: true, task: { phase: 'open', doing: 'thinking' } }]);
    expect(inputs).toEqual([{ kind: 'detach', callId: 'a' }]);
    expect(last({}, begun, due, due).output).toEqual([]);
  });

  it('leaves a call as it is if no task can be kept, and denies what it asks', () => {
    const claim = () => false;
    expect(last({ claim }, begun, due, started)).toMatchObject({ output: [started], inputs: [] });
    expect(last({ claim }, begun, asked)).toMatchObject({
      output: [],
      inputs: [{ kind: 'answered', question: 7, verdict: { decision: 'denied' } }],
    });
  });

  it('asks again under a new key what was not understood, with the reason', () => {
    const { output, inputs } = last({}, begun, asked, answered);
    expect(output).toMatchObject([{ kind: 'task' }]);
    const [change] = output;
    expect(change?.kind === 'task' && [...change.task.questions]).toEqual([
      ['question-2', { question: 7, event: events.question, reason: 'no choice' }],
    ]);
    expect(inputs).toEqual([]);
  });

  it('stops the call of a cancelled task, and no other', () => {
    const cancel: TaskInput<Waiting> = { kind: 'taskCancel', taskId: 'a' };
    expect(last({}, begun, due, cancel).inputs).toEqual([{ kind: 'stop', callId: 'a' }]);
    expect(last({}, begun, cancel).inputs).toEqual([]);
    expect(last({}, begun, due, { ...cancel, taskId: 'b' }).inputs).toEqual([]);
  });

  it('remembers the last twenty steps', () => {
    let at = 0;
    const doing = () => `step ${at++}`;
    const [change] = last({ doing }, begun, due, ...Array.from({ length: 25 }, () => started)).output;
    expect(change?.kind === 'task' && change.task.steps).toEqual(Array.from({ length: 20 }, (_, n) => `step ${n + 5}`));
  });
});

describe('the extension', () => {
  it.each([
    [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, true],
    [{ extensions: { 'io.modelcontextprotocol/tasks': null } }, false],
    [{ extensions: ['io.modelcontextprotocol/tasks'] }, false],
    [{ tasks: {} }, false],
    [{}, false],
  ])('is declared by %j: %s', (capabilities, expected) => {
    expect(declaresTasks(capabilities)).toBe(expected);
    const demand = () => demandTasks({ modern: true, capabilities });
    if (expected) expect(demand).not.toThrow();
    else expect(demand).toThrow('Missing required client capability: io.modelcontextprotocol/tasks');
  });

  it('has three states in which a task has ended', () => {
    const all = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
    expect(all.filter((status) => isEnded({ status }))).toEqual(['completed', 'failed', 'cancelled']);
  });
});
