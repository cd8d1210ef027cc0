/** Calls that are answered before they are done, and what the tool codex-wait gives of them, through the whole server. */
import { concat, filter, ignoreElements, map, merge, mergeMap, type Observable, of, takeUntil, tap, timer } from 'rxjs';
import { tasksInMemory } from '../../../src/app/openTasks';
import type { Ask, Engine } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import { type Op, type TurnOp, textOf } from '../../../src/protocol/codex/operations';
import { silentLog } from '../../../src/protocol/log';
import type { McpDeps } from '../../../src/server/mcp/mcpDeps';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import { ofKind } from '../../../src/streams/ofKind';
import { marbles } from '../../support/marbles';
import {
  aborted,
  answers,
  asks,
  call,
  complete,
  initialize,
  mcpDeps,
  modern,
  notice,
  request,
  started,
  THREAD,
  turnEventOf,
} from '../../support/mcp';

const at = <T>(ms: number, event: T): Observable<T> => timer(ms).pipe(map(() => event));

/** What a prompt makes the engine do, and when. */
const turns: Record<string, (op: TurnOp, ask: Ask) => Observable<Event>> = {
  quick: (op) => of(turnEventOf(op, complete('quick'))),
  work: (op) =>
    merge(
      of(turnEventOf(op, started)),
      at(2, turnEventOf(op, { type: 'exec_command_begin', call_id: 'c', command: ['make'], cwd: '/', parsed_cmd: [] })),
      at(12, turnEventOf(op, complete('built'))),
    ),
  ask: (op, ask) =>
    concat(
      of(turnEventOf(op, started)),
      timer(3).pipe(ignoreElements()),
      ask(
        op,
        (question) => turnEventOf(op, request, question),
        ({ decision }) => at(1, turnEventOf(op, complete(decision))),
      ),
    ),
  'ask late': (op, ask) => concat(of(turnEventOf(op, started)), timer(4).pipe(ignoreElements()), turns.ask!(op, ask)),
  'start late': (op) =>
    concat(
      timer(7).pipe(ignoreElements()),
      turns.work!(op, () => of()),
    ),
};

const engine: Engine = (ask) => (op$: Observable<Op>) =>
  op$.pipe(
    mergeMap((op) => {
      if (op.kind === 'interruptThread') return of<Event>({ kind: 'done', callId: op.callId, threadId: THREAD });
      if (op.kind !== 'turn') return of();
      const stop$ = op$.pipe(
        ofKind('interrupt'),
        filter(({ callId }) => callId === op.callId),
      );
      const turn$ = turns[textOf(op.input)]!(op, ask).pipe(takeUntil(stop$));
      return merge(turn$, stop$.pipe(map(() => turnEventOf(op, aborted))));
    }),
  );

type Shown = {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Shown2;
  error?: { code: number };
};
type Shown2 = {
  content?: { text: string }[];
  structuredContent?: { status?: string; content: string };
  resultType?: string;
};

/** What a message of the server is about. */
const show = ({ id, method, params, result, error }: Shown): string => {
  if (error !== undefined) return `${id} error ${error.code}`;
  if (method === 'notifications/cancelled') return `withdraws ${params?.requestId}`;
  if (method !== undefined) return `${id} ${method}`;
  const { structuredContent, content = [], resultType } = result ?? {};
  if (structuredContent !== undefined) return `${id} ${structuredContent.status ?? structuredContent.content}`;
  return content[0] === undefined ? `${id} ${resultType ?? 'result'}` : `${id} ${content[0].text}`;
};

const shown = (line: string): string => show(JSON.parse(line));

const deps = (own: Partial<McpDeps> = {}): McpDeps =>
  mcpDeps({ engine, answerWithinMs: 5, offer: { waits: true, threads: true }, ...own });

const server =
  (own: Partial<McpDeps> = {}) =>
  (line$: Observable<string>): Observable<string> =>
    line$.pipe(mcpServer(deps(own)), map(shown));

/** A clock that shows two seconds more each time. */
const counter = () => {
  let ms = 0;
  return () => {
    ms += 2_000;
    return ms;
  };
};

const meta = (clientCapabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
});

const tool = (id: unknown, name: string, args: object, extra: object = {}) =>
  asks(id, 'tools/call', { name, arguments: args, ...extra });
const wait = (id: unknown, extra: object = {}) => tool(id, 'codex-wait', { threadId: THREAD }, extra);

const lines = {
  i: initialize('i', '2025-11-25'),
  n: notice('notifications/initialized', {}),
  c: call(1, 'work'),
  g: call(1, 'quick'),
  q: call(1, 'ask'),
  l: call(1, 'ask late'),
  s: call(1, 'start late'),
  w: wait(2),
  v: wait(3),
  y: answers(0, { action: 'accept', content: { decision: 'approved' } }),
  x: notice('notifications/cancelled', { requestId: 2 }),
  k: tool(4, 'codex-interrupt', { threadId: THREAD }),
  C: modern(call(1, 'work')),
  L: modern(call(1, 'ask late')),
  W: modern(wait(2)),
};

const NOTHING = `There is nothing to wait for on the thread ${THREAD}: `;
const nobody = `2 ${NOTHING}no call works on it, or its result was given already. Go on with the tool codex-reply, or start a thread with the tool codex.`;
const busy = `2 ${NOTHING}another request waits for its call, or a task has it, and gets the result.`;

const out = {
  I: 'i result',
  P: '1 working',
  R: '1 built',
  p: '2 working',
  r: '2 built',
  t: '3 built',
  Q: '0 elicitation/create',
  Z: 'withdraws 0',
  A: '2 approved',
  B: '1 approved',
  D: '2 denied',
  E: '2 input_required',
  N: nobody,
  M: busy,
  G: '1 quick',
  T: '1 task',
  K: '4 No turn runs on this thread now. Go on with codex-reply.',
};

describe('a call that takes longer than its client waits', () => {
  it.each([
    ['is answered while it works, and codex-wait gives the rest', 'inc------w-----|', 'I------P------r|'],
    ['is answered again while it works', 'inc-----w-------v|', 'I------P-----p--t|'],
    ['is kept when it ends before codex-wait comes', 'inc-------------w-|', 'I------P--------r-|'],
    ['answers itself if it ends in time', 'ing--|', 'I-G--|'],
    ['is answered once its thread is known', 'ins-------w-----|', 'I--------P-----p|'],
    ['asks by codex-wait what came up meanwhile', 'inl---------w-y-|', 'I------P----Q--A|'],
    ['keeps a question open that its client was asked', 'inq------w--y--|', 'I----Q-P-----A-|'],
    ['takes an answer while no request waits', 'inq------y-----w-|', 'I----Q-P-------A-|'],
    ['is stopped with the request of codex-wait', 'inc------w-x-w|', 'I------P-----N|'],
    ['has one request at a time that waits for it', 'inc-w---', 'I---M--P'],
    ['is waited for where there is nothing', 'in-w-|', 'I--N-|'],
    ['is interrupted by its thread', 'in-k-|', 'I--K-|'],
  ])('%s', (_, given, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(given, lines).pipe(server())).toBe(expected, out);
    })(),
  );

  it('has a question that nobody answers denied in time, however often codex-wait comes', () =>
    marbles(({ hot, expectObservable }) => {
      const given = '   inq------w------v-----|';
      const expected = 'I----Q-P------p---(ZT)|';
      expectObservable(hot(given, lines).pipe(server({ askTimeoutMs: 12 }))).toBe(expected, { ...out, T: '3 denied' });
    })());

  it.each([
    ['and gets the rest', 'C------W-----|', '-----P------r|'],
    ['and is asked by the result of codex-wait', 'L---------W----|', '-----P----E----|'],
  ])('is answered to a client of 2026-07-28, %s', (_, given, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(given, lines).pipe(server())).toBe(expected, out);
    })(),
  );

  it('takes the answer to a question of codex-wait by the same call again', () => {
    const states: string[] = [];
    const keep = (line: string) => {
      const state = JSON.parse(line).result?.requestState;
      if (state !== undefined) states.push(state);
    };
    marbles(({ cold, hot, expectObservable }) => {
      const inputResponses = { 'approval-0': { action: 'accept', content: { decision: 'approved' } } };
      const again$ = cold('--a', { a: '' }).pipe(
        map(() => modern(wait(2, { requestState: states[0], inputResponses }))),
      );
      const line$ = merge(hot('L---------W----', lines), timer(10).pipe(mergeMap(() => again$)));
      expectObservable(line$.pipe(mcpServer(deps()), tap(keep), map(shown)), '----- 10ms -----!').toBe(
        '-----P----E--A',
        out,
      );
    })();
  });

  it(
    'becomes a task for a client that knows tasks',
    marbles(({ hot, expectObservable }) => {
      const store = tasksInMemory({ now: () => 0, diskMs: () => 0, log: silentLog });
      const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
      const line$ = hot('t-------', { t: modern(call(1, 'work'), meta(capabilities)) });
      const tasks = { store: () => store, afterMs: 3 };
      expectObservable(line$.pipe(server({ tasks }))).toBe('---T', out);
    }),
  );
});

describe('the text of a call that works', () => {
  it('has the last steps, and what the model must do next', () => {
    const sent: Shown[] = [];
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('inc------', lines);
      const answered$ = line$.pipe(
        mcpServer(deps({ workMs: counter() })),
        tap((line) => sent.push(JSON.parse(line))),
        ignoreElements(),
      );
      expectObservable(answered$, '---------!').toBe('---------');
    })();
    const text = [
      'The agent is still working, after 2 s. Its last steps:\n- thinking\n- running: make',
      `Next: call the tool codex-wait with {"threadId":"${THREAD}"}. It returns the result once the agent is done, or says again that it works. Do not give the same task again by codex or codex-reply.`,
    ].join('\n\n');
    expect(sent[1]?.result).toEqual({
      content: [{ type: 'text', text }],
      structuredContent: {
        threadId: THREAD,
        content: text,
        status: 'working',
        durationMs: 4_000,
        changes: [],
        commands: 1,
        notDone: [],
      },
    });
  });
});
