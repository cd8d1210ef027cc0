import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { map, NEVER, type Observable, timer } from 'rxjs';
import { tasksIn, tasksInMemory, withSeams } from '../../../src/app/openTasks';
import { FileError } from '../../../src/io/files/fileError';
import { privateFiles } from '../../../src/io/files/privateFiles';
import { silentLog } from '../../../src/protocol/log';
import type { TaskMessage } from '../../../src/server/tasks/taskFiles';
import { type TaskStore, taskStore } from '../../../src/server/tasks/taskStore';
import { watchTasks } from '../../../src/server/tasks/watchTasks';
import { lockDeps, openFolder, ownersOf, removeFolders } from '../../support/files';
import { marbles } from '../../support/marbles';
import { THREAD } from '../../support/mcp';

afterEach(removeFolders);

const ID = '00000000-0000-4000-8000-00000000000a';
const OTHER = '00000000-0000-4000-8000-00000000000b';
const START = Date.parse('2026-11-29T10:00:00Z');
const DAY_MS = 86_400_000;

type Process = {
  pid: number;
  tick$?: Observable<unknown>;
  now?: () => number;
  /** The id of a task whose file is closed to the user of the process. */
  unreadable?: string;
};

/** The store of one of the processes 7 and 8, which live if they are in `alive`. */
const storeOf = (
  root: string,
  alive: number[],
  { pid, tick$ = NEVER, now = () => START, unreadable }: Process,
): TaskStore => {
  const starts = Object.fromEntries(alive.map((one) => [one, 'a']));
  const deps = lockDeps(root);
  const files = privateFiles({ ...deps, owners: ownersOf({ pid, start: 'a', host: 'here' }, starts) });
  const read = (path: string): string | undefined => {
    if (unreadable !== undefined && path.includes(unreadable)) throw new FileError(`${path} cannot be read`);
    return files.read(path);
  };
  return taskStore({
    files: { ...files, read },
    folder: join(root, 'tasks'),
    now,
    diskMs: now,
    newName: deps.newName,
    tick$,
    log: silentLog,
  });
};

const working = { taskId: ID, status: 'working' } as const;

const times = {
  createdAt: '2026-11-29T10:00:00.000Z',
  lastUpdatedAt: '2026-11-29T10:00:00.000Z',
  ttlMs: null,
  pollIntervalMs: 1000,
};

const begun = (taskId: string) => ({ task: { taskId, status: 'working' }, steps: [] }) as const;

const result = { content: [{ type: 'text', text: 'done' }] };

describe('taskStore', () => {
  it('keeps a task in a private file, which other processes read', () => {
    const root = openFolder();
    const store = storeOf(root, [7, 8], { pid: 7 });
    expect(store.claim(begun(ID))).toBe(true);
    expect(statSync(join(root, 'tasks', `${ID}.json`)).mode & 0o777).toBe(0o600);
    expect(storeOf(root, [7, 8], { pid: 8 }).read(ID)).toEqual({ task: { ...working, ...times }, steps: [] });
    store.save({ task: { taskId: ID, status: 'completed', result }, threadId: THREAD, steps: [] });
    expect(storeOf(root, [], { pid: 8 }).read(ID)?.task).toEqual({
      ...times,
      taskId: ID,
      status: 'completed',
      result,
      ttlMs: DAY_MS,
    });
    expect(readdirSync(join(root, 'tasks'))).toEqual([`${ID}.json`]);
  });

  it('does not end a task whose server lives, and ends a task whose server died', () => {
    const root = openFolder();
    const store = storeOf(root, [7, 8], { pid: 7 });
    store.claim(begun(ID));
    store.save({ task: { ...working, statusMessage: 'thinking' }, threadId: THREAD, steps: ['running: make'] });
    store.save({
      task: { ...working, status: 'input_required', inputRequests: {} },
      threadId: THREAD,
      steps: ['running: make'],
    });
    expect(storeOf(root, [7, 8], { pid: 8 }).read(ID)?.task.status).toBe('input_required');
    const ended = storeOf(root, [8], { pid: 8 }).read(ID)?.task;
    const content =
      'The server that worked on this task ended before the task did; its turn was stopped.\n\n' +
      'Its last steps:\n- running: make\n\n' +
      'The thread is kept: look at what is done, and go on with the tool codex-reply and this threadId.';
    expect(ended).toMatchObject({
      status: 'completed',
      result: {
        isError: true,
        content: [{ type: 'text', text: `${content}\n\nthreadId: ${THREAD}` }],
        structuredContent: { threadId: THREAD, content },
      },
    });
    expect(storeOf(root, [7, 8], { pid: 7 }).read(ID)?.task).toEqual(ended);
    expect(readdirSync(join(root, 'tasks')).filter((name) => name.startsWith(ID))).toEqual([`${ID}.json`]);
  });

  it(
    'gives the messages of clients of other processes to the process of the task, in order',
    marbles(({ hot, expectObservable }) => {
      const root = openFolder();
      const store = storeOf(root, [7, 8], { pid: 7, tick$: hot('--t--t') });
      const other = storeOf(root, [7, 8], { pid: 8 });
      expectObservable(store.posted$).toBe('--(uc)-', {
        u: { kind: 'taskUpdate', taskId: ID, responses: { a: null } } satisfies TaskMessage,
        c: { kind: 'taskCancel', taskId: ID } satisfies TaskMessage,
      });
      expectObservable(hot('-c')).toBe('-c');
      hot('-c').subscribe(() => {
        store.claim(begun(ID));
        other.post({ kind: 'taskUpdate', taskId: ID, responses: { a: null } });
        other.post({ kind: 'taskCancel', taskId: ID });
        other.post({ kind: 'taskCancel', taskId: OTHER });
      });
    }),
  );

  it.each(['', '.', '../tasks/x', `../tasks/${ID}`, 'constructor', '__proto__', `${ID} `, ID.toUpperCase(), `${ID}\0`])(
    'knows no task %j',
    (taskId) => {
      const root = openFolder();
      storeOf(root, [7], { pid: 7 }).claim(begun(ID));
      expect(storeOf(root, [7], { pid: 7 }).read(taskId)).toBeUndefined();
    },
  );

  it('lists the tasks, and removes old ones with the first new one', () => {
    const root = openFolder();
    const store = storeOf(root, [7], { pid: 7 });
    store.claim(begun(ID));
    store.save({ task: { taskId: ID, status: 'completed', result }, steps: [] });
    store.post({ kind: 'taskCancel', taskId: OTHER });
    expect(store.list().map(({ task }) => task.taskId)).toEqual([ID]);
    writeFileSync(join(root, 'tasks', `${ID}.json.0123456789ab.new`), 'a draft of a process that was killed');
    writeFileSync(
      join(root, 'tasks', '00000000-0000-4000-8000-00000000000c.lock'),
      '{"pid":9,"start":"a","host":"here"}',
    );
    const old = readdirSync(join(root, 'tasks')).filter((name) => name !== 'inbox');
    for (const path of [...old, `inbox/${readdirSync(join(root, 'tasks', 'inbox'))[0]}`])
      utimesSync(join(root, 'tasks', path), START / 1000, START / 1000);
    const later = storeOf(root, [7], { pid: 7, now: () => START + DAY_MS + 1 });
    expect(later.read(ID)).toBeUndefined();
    later.claim(begun(OTHER));
    expect(readdirSync(join(root, 'tasks', 'inbox'))).toEqual([]);
    expect(readdirSync(join(root, 'tasks')).sort()).toEqual([`${OTHER}.json`, `${OTHER}.lock`, 'inbox']);
  });

  it.each([
    ['no times', { task: working, steps: [] }],
    ['no steps', { task: { ...working, ...times } }],
    ['a time that is none', { task: { ...working, ...times, createdAt: 'x' }, steps: [] }],
    ['no status', { task: { taskId: ID, ...times }, steps: [] }],
  ])('leaves a file with %s aside, and lists the others', (_, record) => {
    const root = openFolder();
    storeOf(root, [7], { pid: 7 }).claim(begun(OTHER));
    writeFileSync(join(root, 'tasks', `${ID}.json`), JSON.stringify(record), { mode: 0o600 });
    const store = storeOf(root, [7, 8], { pid: 8 });
    expect(store.read(ID)).toBeUndefined();
    expect(store.list().map(({ task }) => task.taskId)).toEqual([OTHER]);
  });

  it('claims a task, and removes old ones, although one of these cannot be removed', () => {
    const root = openFolder();
    const folder = join(root, 'tasks');
    storeOf(root, [7], { pid: 7 }).claim(begun(ID));
    rmSync(join(folder, `${ID}.lock`));
    mkdirSync(join(folder, `${ID}.lock`));
    const draft = `${OTHER}.json.0123456789ab.new`;
    writeFileSync(join(folder, draft), 'a draft of a process that was killed');
    for (const name of [`${ID}.json`, draft]) utimesSync(join(folder, name), START / 1000, START / 1000);
    const later = storeOf(root, [7], { pid: 7, now: () => START + DAY_MS + 1 });
    expect(later.claim(begun(OTHER))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual([`${ID}.json`, `${ID}.lock`, `${OTHER}.json`, `${OTHER}.lock`]);
  });

  it('lists the tasks without a task whose file cannot be read', () => {
    const root = openFolder();
    for (const id of [ID, OTHER]) storeOf(root, [7], { pid: 7 }).claim(begun(id));
    const { list } = storeOf(root, [7, 8], { pid: 8, unreadable: ID });
    expect(list().map(({ task }) => task.taskId)).toEqual([OTHER]);
  });

  it('claims nothing if the folder cannot be made', () => {
    const root = openFolder();
    writeFileSync(join(root, 'tasks'), 'a file');
    expect(storeOf(root, [7], { pid: 7 }).claim(begun(ID))).toBe(false);
  });

  it('shows an open task as it is if the home cannot be written', () => {
    const root = openFolder();
    const store = storeOf(root, [7], { pid: 7 });
    store.claim(begun(ID));
    rmSync(join(root, 'tasks', `${ID}.lock`));
    mkdirSync(join(root, 'tasks', `${ID}.lock`));
    expect(storeOf(root, [8], { pid: 8 }).read(ID)?.task.status).toBe('working');
  });

  it('moves lastUpdatedAt if something changed, and never back', () => {
    let ms = START;
    const store = tasksInMemory({ now: () => ms, diskMs: () => ms, log: silentLog });
    store.claim(begun(ID));
    const updatedAt = (task: object): string | undefined =>
      store.save({ task: { ...working, ...task }, steps: [] }).task.lastUpdatedAt;
    ms += 5;
    expect(updatedAt({})).toBe('2026-11-29T10:00:00.000Z');
    expect(updatedAt({ statusMessage: 'thinking' })).toBe('2026-11-29T10:00:00.005Z');
    ms -= 60_000;
    expect(updatedAt({ statusMessage: 'running' })).toBe('2026-11-29T10:00:00.005Z');
  });

  it('is opened in a Codex home', () => {
    const root = openFolder();
    mkdirSync(join(root, 'codex-rx'), { mode: 0o700 });
    const store = tasksIn({ codexHome: root }, { now: () => START, diskMs: () => START, log: silentLog });
    store.claim(begun(ID));
    expect(readdirSync(join(root, 'codex-rx', 'tasks')).sort()).toEqual([`${ID}.json`, `${ID}.lock`]);
    store.save({ task: { taskId: ID, status: 'cancelled' }, steps: [] });
  });
});

describe('withSeams', () => {
  it('draws what it gets of other processes, and marks what becomes of its own tasks', () => {
    const drawn: string[] = [];
    const chance =
      <T>(name: string, draw: () => T) =>
      () => {
        drawn.push(name);
        return draw();
      };
    const ports = { now: () => START, diskMs: () => START, log: silentLog };
    const store = withSeams(
      { chance, messages: (plain) => plain, mark: (what) => drawn.push(what.join()) },
      tasksInMemory(ports),
    );
    store.claim(begun(ID));
    expect(store.read(ID)?.task.status).toBe('working');
    expect(store.read(OTHER)).toBeUndefined();
    store.save({ task: { taskId: ID, status: 'cancelled' }, steps: [] });
    expect(drawn).toEqual(['taskClaim', 'task', `task,${ID},cancelled`]);
  });
});

describe('watchTasks', () => {
  it(
    'reads the file of a task that another process works on, until its end',
    marbles(({ hot, expectObservable }) => {
      const root = openFolder();
      const owner = storeOf(root, [7, 8], { pid: 7 });
      owner.claim(begun(ID));
      const watched = watchTasks({ store: storeOf(root, [7, 8], { pid: 8 }), after: timer }, [OTHER, ID, ID]);
      expect(watched.map(({ taskId }) => taskId)).toEqual([ID]);
      hot(' 700ms e').subscribe(() => owner.save({ task: { taskId: ID, status: 'completed', result }, steps: [] }));
      expectObservable(watched[0]?.task$.pipe(map(({ status }) => status)) ?? NEVER).toBe('w 999ms (c|)', {
        w: 'working',
        c: 'completed',
      });
    }),
  );
});
