import { lastValueFrom, of, toArray } from 'rxjs';
import { tasksIn } from '../../../src/app/openTasks';
import { runTasks, tasks } from '../../../src/cli/commands/tasks';
import { silentLog } from '../../../src/protocol/log';
import type { TaskMessage } from '../../../src/server/tasks/taskFiles';
import type { TaskStore } from '../../../src/server/tasks/taskStore';
import { openFolder, removeFolders } from '../../support/files';
import { THREAD } from '../../support/mcp';
import { givenBy, problemBy } from '../reading';

afterEach(removeFolders);

const ID = '00000000-0000-4000-8000-00000000000a';
const OTHER = '00000000-0000-4000-8000-00000000000b';
const question = { method: 'elicitation/create', params: { message: 'Allow Codex to run `touch a`?' } } as const;

/** A server with a task that asks, and what a command in another process has of its home. */
const opened = () => {
  const root = openFolder();
  const ports = {
    now: () => Date.parse('2026-11-29T10:00:00Z'),
    diskMs: () => Date.parse('2026-11-29T10:00:00Z'),
    log: silentLog,
  };
  const owner = tasksIn({ codexHome: root }, ports);
  owner.claim({ task: { taskId: ID, status: 'working' }, steps: [] });
  owner.save({
    task: { taskId: ID, status: 'input_required', statusMessage: 'waiting', inputRequests: { 'question-1': question } },
    threadId: THREAD,
    steps: ['thinking'],
  });
  return { owner, store: tasksIn({ codexHome: root }, ports) };
};

type Request = Parameters<typeof runTasks>[1];

const depsOf = (store: TaskStore): Parameters<typeof runTasks>[0] => ({
  store,
  ask: () => of({ action: 'decline' }),
  now: () => Date.parse('2026-11-29T10:04:30Z'),
  width: 100,
});

const lines = (store: TaskStore, request: Partial<Request>): Promise<string[]> =>
  lastValueFrom(runTasks(depsOf(store), { action: 'list', id: '', ...request }).pipe(toArray()));

describe('tasks', () => {
  it.each([
    [[], {}],
    [['show', '01a2', '--wait'], { action: 'show', id: '01a2', wait: true }],
    [['answer', '01a2', '--accept'], { action: 'answer', id: '01a2', accept: true }],
  ])('accepts %j', (argv, given) => expect(givenBy(tasks, ...argv)).toMatchObject(given));

  it.each([
    [['remove', '01a2'], /^ACTION must be list, show, answer or cancel; it is remove$/],
    [['list', '01a2'], /^list takes no id$/],
    [['cancel'], /^cancel needs the id of a task$/],
    [['answer', 'a', '--accept', '--decline'], /^--accept and --decline exclude each other$/],
  ])('refuses %j', (argv, problem) => expect(problemBy(tasks, ...argv)).toMatch(problem));
});

describe('runTasks', () => {
  it('lists and shows the tasks of a home', async () => {
    const { store } = opened();
    expect(await lines(store, {})).toEqual([
      'id                                    status          begun  what it does',
      `${ID}  input_required  4 min  waiting`,
    ]);
    expect(await lines(store, { action: 'show', id: '0000' })).toEqual([
      `task    ${ID}\nstatus  input_required: waiting\nbegun   2026-11-29T10:00:00.000Z\nthread  ${THREAD}\ndid     thinking\nasks    Allow Codex to run \`touch a\`?`,
    ]);
    const [json = ''] = await lines(store, { action: 'show', id: ID, json: true });
    expect(JSON.parse(json)).toEqual(store.read(ID));
  });

  it('waits for the end of a task', async () => {
    const { owner } = opened();
    const shown = lines(owner, { action: 'show', id: ID, wait: true, json: true });
    owner.save({ task: { taskId: ID, status: 'cancelled' }, steps: [] });
    expect(JSON.parse((await shown)[0] ?? '')).toMatchObject({ task: { status: 'cancelled' } });
  });

  it.each([
    [{ accept: true }, { action: 'accept', content: { decision: 'approved' } }],
    [{ decline: true }, { action: 'decline' }],
    [{}, { action: 'decline' }],
  ])('answers with %j', async (given, response) => {
    const { store } = opened();
    const posted: TaskMessage[] = [];
    const noting = { ...store, post: (message: TaskMessage) => void posted.push(message) };
    expect(await lines(noting, { action: 'answer', id: ID, ...given })).toEqual(['answered question-1']);
    expect(posted).toEqual([{ kind: 'taskUpdate', taskId: ID, responses: { 'question-1': response } }]);
  });

  it('cancels a task, unless it has ended', async () => {
    const { owner, store } = opened();
    expect(await lines(store, { action: 'cancel', id: ID })).toEqual([`cancelled ${ID}`]);
    owner.save({ task: { taskId: ID, status: 'cancelled' }, steps: [] });
    expect(await lines(store, { action: 'cancel', id: ID })).toEqual([`${ID} has ended: cancelled`]);
    expect(() => runTasks(depsOf(store), { action: 'answer', id: ID })).toThrow(`${ID} asks nothing now`);
  });

  it('needs the beginning of one id', () => {
    const { owner, store } = opened();
    owner.claim({ task: { taskId: OTHER, status: 'working' }, steps: [] });
    const show = (id: string) => () => runTasks(depsOf(store), { action: 'show', id });
    expect(show('f')).toThrow('There is no task f; codex-rx tasks lists all');
    expect(show('0')).toThrow('0 is the beginning of 2 tasks; write more of the id');
  });
});
