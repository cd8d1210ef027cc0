import { asyncScheduler, concat, EMPTY, map, merge, mergeMap, type OperatorFunction, of } from 'rxjs';
import { tasksInMemory } from '../../../src/app/openTasks';
import { FileError } from '../../../src/io/files/fileError';
import type { Engine } from '../../../src/protocol/codex/engine';
import { isObject } from '../../../src/protocol/jsonrpc/json';
import { silentLog } from '../../../src/protocol/log';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { McpDeps } from '../../../src/server/mcp/mcpDeps';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import type { CallTasks } from '../../../src/server/tasks/taskStore';
import { lazy } from '../../../src/streams/lazy';
import { ofKind } from '../../../src/streams/ofKind';
import { after } from '../../../src/streams/time/wait';
import { marbles } from '../../support/marbles';
import {
  asks,
  call,
  complete,
  initialize,
  mcpDeps,
  modern,
  notice,
  request,
  THREAD,
  turnEventOf,
} from '../../support/mcp';

const ID = '00000000-0000-4000-8000-00000000000a';

const TIMES = { createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 1 };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

const declared = (text: string): string => modern(text, META);

const get = (id: unknown) => declared(asks(id, 'tasks/get', { taskId: ID }));
const update = (id: unknown, inputResponses: object) =>
  declared(asks(id, 'tasks/update', { taskId: ID, inputResponses }));
const cancel = (id: unknown) => declared(asks(id, 'tasks/cancel', { taskId: ID }));

const yes = { action: 'accept', content: { decision: 'approved' } };
const no = { action: 'decline' };

const lines = {
  d: modern(asks('d', 'server/discover', {})),
  h: declared(call(1, 'say hi')),
  t: declared(call(1, 'take 3')),
  q: declared(call(1, 'ask')),
  k: declared(call(1, 'go on')),
  u: modern(call(1, 'take 3')),
  g: get('g'),
  y: update('y', { 'question-1': yes }),
  n: update('n', { 'question-1': no }),
  p: update('p', { 'question-1': { action: 'accept', content: { decision: 'perhaps' } } }),
  v: update('v', { 'question-2': yes }),
  c: cancel('c'),
  x: notice('notifications/cancelled', { requestId: 1 }),
  l: declared(asks('l', 'subscriptions/listen', { notifications: { taskIds: ['none', ID] } })),
  m: modern(asks('m', 'tasks/get', { taskId: ID })),
  i: initialize('i', '2025-11-25'),
  o: asks('o', 'tasks/get', { taskId: ID }),
};

/** Asks two things at once, and ends when both are answered. */
const askTwo: Engine = (ask) => (op$) =>
  op$.pipe(
    ofKind('turn'),
    mergeMap((op) => {
      const asked$ = ask(
        op,
        (question) => turnEventOf(op, request, question),
        () => EMPTY,
      );
      return concat(merge(asked$, asked$), of(turnEventOf(op, complete('both'))));
    }),
  );

/** The server, its messages by what they say. */
const server =
  (deps: Partial<McpDeps> = {}): OperatorFunction<string, string> =>
  (line$) => {
    const now = () => asyncScheduler.now();
    const tasks: CallTasks = { store: lazy(() => tasksInMemory({ now, diskMs: now, log: silentLog })), afterMs: 2 };
    return line$.pipe(
      mcpServer(mcpDeps({ now, tasks, newCallId: () => ID, ...deps })),
      map((line) => brief(JSON.parse(line))),
    );
  };

/** Ids of calls: the task, then others. */
const idOf = () => {
  let next = 0;
  return () => (next++ === 0 ? ID : `call-${next}`);
};

const textIn = (result: unknown): string => (isObject(result) ? JSON.stringify(result.content) : '');

const stateOf = (task: Record<string, unknown>): string =>
  [
    task.status,
    ...(isObject(task.inputRequests) ? [Object.keys(task.inputRequests).join('+')] : []),
    ...(isObject(task.result) ? [textIn(task.result)] : []),
  ].join(' ');

const brief = (message: Record<string, unknown>): string => {
  const { id, method, params, result, error } = message;
  if (isObject(error)) return `${id}: error ${error.code}`;
  if (method === 'notifications/tasks' && isObject(params)) return `pushed ${stateOf(params)}`;
  if (isObject(params)) return `${method} ${JSON.stringify(params.notifications)}`;
  if (!isObject(result)) return 'nothing';
  if (result.resultType === 'task') return `${id}: task ${stateOf(result)}`;
  if ('status' in result) return `${id}: ${stateOf(result)}`;
  return 'content' in result ? `${id}: ${textIn(result)}` : `${id}: done`;
};

const text = (content: string): string => JSON.stringify([{ type: 'text', text: content }]);

const out = {
  H: `1: ${text('hi')}`,
  R: `1: ${text('done')}`,
  T: '1: task working',
  W: 'g: working',
  Q: 'g: input_required question-1',
  A: 'g: input_required question-2',
  E: `g: completed ${text('done')}`,
  Y: `g: completed ${text('approved')}`,
  N: `g: completed ${text('denied\n\nNot done: `touch`: the client declined it')}`,
  S: 'g: cancelled',
  y: 'y: done',
  n: 'n: done',
  p: 'p: done',
  v: 'v: done',
  c: 'c: done',
  a: `notifications/subscriptions/acknowledged {"taskIds":["${ID}"]}`,
  w: 'pushed working',
  q: 'pushed input_required question-1',
  e: `pushed completed ${text('approved')}`,
  B: 'g: input_required question-1+question-2',
  Z: `g: completed ${text('both')}`,
  L: 'l: done',
  X: 'g: error -32602',
  M: 'm: error -32021',
  O: 'o: error -32601',
  I: 'i: done',
};

describe('tasks', () => {
  it.each([
    ['answers a call that ends in time as if there were no tasks     ', 'h----g', 'H----X'],
    ['answers a call that takes longer by a task, which ends          ', 't--g-g', '--TW-E'],
    ['keeps the result for a client that polls after the end          ', 't 9s g', '--T 8998ms E'],
    ['ends a task that nobody polls                                   ', 't-----', '--T---'],
    ['makes a call that asks a task at once                           ', 'q-g--', 'T-Q--'],
    ['goes on with the answer                                         ', 'q-yg-', 'T-yY-'],
    ['takes the first of two answers                                  ', 'q-(ny)g', 'T-(ny)N'],
    ['acknowledges an answer after the end, which changes nothing     ', 'q-yng-', 'T-ynY-'],
    ['asks again under a new key what was answered and not understood ', 'q-pgyvg', 'T-pAyvY'],
    ['stops the work of a cancelled task                              ', 'k--cg-', '--TcS-'],
    ['cancels a task that asks; a late yes changes nothing            ', 'q-cyg-', 'T-cyS-'],
    ['ignores the cancel of a request that was answered               ', 't--x-g', '--T--E'],
    ['makes no task of a call that was cancelled before               ', 'kx-g--', '---X--'],
    ['makes no task for a client that does not declare them           ', 'u--m--', '---(MR)'],
    ['has no methods of tasks for an older client                     ', 'i-o---', 'I-O---'],
  ])('%s', (_, line, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(line, lines).pipe(server()), `^ 20s !`).toBe(expected, out);
    })(),
  );

  it(
    'pushes a task as it is, and as it changes, in parallel with polls',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' q--l---g--y----|', lines);
      const expected = '  T--(aq)Q--(ywe)(L|)';
      expectObservable(line$.pipe(server())).toBe(expected, out);
    }),
  );

  it(
    'asks together what is asked at once; the answers come in any order',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' q-gvgyg', lines);
      const expected = '  T-BvQyZ';
      expectObservable(line$.pipe(server({ engine: askTwo }))).toBe(expected, out);
    }),
  );

  it(
    'forgets a task a day after its end',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' t 86400s -g 20s g', lines);
      const expected = '  --T 86399999ms E 20s X';
      expectObservable(line$.pipe(server())).toBe(expected, out);
    }),
  );

  it(
    'sends no event, no progress and no log of a call that became a task',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' r 20s -', { r: declared(call(1, 'take 3', { _meta: { progressToken: 'p' } })) });
      expectObservable(line$.pipe(server({ events: 'codex', tasks: undefined }))).toBe('s--(sR)', {
        s: 'codex/event undefined',
        R: out.R,
      });
      expectObservable(line$.pipe(server({ events: 'codex' }))).toBe('s-T', { s: 'codex/event undefined', T: out.T });
    }),
  );

  it(
    'fails a task whose result cannot be made, as the request would have failed',
    marbles(({ hot, expectObservable }) => {
      const face = faceOf('union', '0.1.0');
      const broken = Object.defineProperty({ ...face }, 'structured', {
        enumerable: false,
        get: () => {
          throw new Error('a bug');
        },
      });
      expectObservable(hot('t---g', lines).pipe(server({ face: broken }))).toBe('--T-F', { ...out, F: 'g: failed' });
    }),
  );

  it(
    'answers with the reason if the disk cannot be read or written',
    marbles(({ hot, expectObservable }) => {
      const fail = () => {
        throw new FileError('the disk is full');
      };
      const now = () => 0;
      const read = () => ({ task: { ...TIMES, taskId: ID, status: 'working' as const }, steps: [] });
      const memory = tasksInMemory({ now, diskMs: now, log: silentLog });
      const tasks = (own: object): CallTasks => ({ store: lazy(() => ({ ...memory, ...own })), afterMs: 2 });
      const broken = { E: 'g: error -32603', F: 'c: error -32603' };
      expectObservable(hot('g', lines).pipe(server({ tasks: tasks({ read: fail }) }))).toBe('E', broken);
      expectObservable(hot('c', lines).pipe(server({ tasks: tasks({ read, post: fail }) }))).toBe('F', broken);
    }),
  );

  it(
    'lets tasks go on when the input has ended, for a time; other calls are stopped',
    marbles(({ hot, expectObservable }) => {
      const store = lazy(() => tasksInMemory({ now: () => 0, diskMs: () => 0, log: silentLog }));
      const line$ = hot(' kz-|', { k: lines.k, z: modern(call(2, 'go on')) });
      const expected = '  --TS 9ms |';
      expectObservable(line$.pipe(server({ tasks: { store, afterMs: 2, outliveMs: 10 }, newCallId: idOf() }))).toBe(
        expected,
        {
          T: out.T,
          S: `2: ${text(`The turn was stopped: the input of the server ended.\n\nthreadId: ${THREAD}`)}`,
        },
      );
    }),
  );

  it(
    'makes each call a task if it has no time for an answer',
    marbles(({ hot, expectObservable }) => {
      const store = lazy(() => tasksInMemory({ now: () => 0, diskMs: () => 0, log: silentLog }));
      const server$ = hot('t--g', lines).pipe(server({ tasks: { store, afterMs: 0 }, after }));
      expectObservable(server$).toBe('T--W', out);
    }),
  );

  it(
    'ends with the last task when the input has ended',
    marbles(({ hot, expectObservable }) => {
      const store = lazy(() => tasksInMemory({ now: () => 0, diskMs: () => 0, log: silentLog }));
      const server$ = hot('t|', lines).pipe(server({ tasks: { store, afterMs: 0, outliveMs: 10 }, after }));
      expectObservable(server$).toBe('T--|', out);
    }),
  );

  it(
    'ends the tasks of a server whose input ends',
    marbles(({ hot, expectObservable }) => {
      const tasks: CallTasks = {
        store: lazy(() => tasksInMemory({ now: () => 0, diskMs: () => 0, log: silentLog })),
        afterMs: 2,
      };
      expectObservable(hot('k---|', lines).pipe(server({ tasks }))).toBe('--T-|', out);
      expectObservable(hot('-------g', lines).pipe(server({ tasks }))).toBe('-------F', {
        F: `g: completed ${text(`The turn was stopped: the input of the server ended.\n\nthreadId: ${THREAD}`)}`,
      });
    }),
  );
});
