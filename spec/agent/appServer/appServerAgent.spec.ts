/** The engine in front of a server that dies, is slow, asks, or refuses: every call has its end. */
import { asyncScheduler, concat, concatMap, delay, EMPTY, NEVER, of, throwError, timer } from 'rxjs';
import type { AppServerDeps } from '../../../src/agent/appServer/appServerAgent';
import type { ServerPlace } from '../../../src/agent/appServer/threads/openThread';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { RpcIncoming } from '../../../src/protocol/rpc/messages';
import { ConfigError } from '../../../src/settings/faults/configError';
import { marbles } from '../../support/marbles';
import {
  answer,
  completed,
  failure,
  notify,
  promptOf,
  type Script,
  scriptedServer,
  started,
  THREAD,
  usual,
} from './scriptedServer';
import { depsOf, inShort, nobody, personSaying, placeWith, played, turn } from './support';

const on = { id: THREAD };

describe('appServerAgent', () => {
  it('starts one server for all threads, by the first call', () => {
    const { emitted, sent } = play('----a---b', { a: turn('a', 'hi'), b: turn('b', 'hi', on) });
    expect(emitted).toBe('a session_configured, a task_started, a task_complete, b task_started, b task_complete');
    expect(sent.join(', ')).toBe('1 starts, 1 initialize, 1 initialized, 1 thread/start, 1 turn/start, 1 turn/start');
  });

  it('has a server in each place, started by its first thread and ended with the engine; a thread stays in its place', () => {
    const began: string[] = [];
    const places = ['here', 'there'].map((name) => {
      const sent: string[] = [];
      const place = placeWith(scriptedServer(placeOfItsOwn(name), sent), {
        began: (id) => began.push(`${name} has ${id}`),
      });
      return { sent, place };
    });
    const placeOf: AppServerDeps['placeOf'] = ({ thread, settings }) =>
      of(thread?.place ?? (places[settings?.config?.there ? 1 : 0] as { place: ServerPlace }).place);
    const { emitted } = play(
      'a 9ms b 9ms c 9ms d',
      {
        a: turn('a', 'hi'),
        b: turn('b', 'hi', { start: { config: { there: true } } }),
        c: turn('c', 'hi', { id: 'there' }),
        d: turn('d', 'hi', { id: 'here' }),
      },
      { placeOf },
    );
    expect(emitted.match(/\w task_complete/g)?.join(', ')).toBe(
      'a task_complete, b task_complete, c task_complete, d task_complete',
    );
    for (const { sent } of places) {
      expect(sent.join(', ')).toBe('1 starts, 1 initialize, 1 initialized, 1 thread/start, 1 turn/start, 1 turn/start');
    }
    expect(began).toEqual(['here has here', 'there has there']);
  });

  it('leaves an unused thread to the server, and loads it again for the next turn', () => {
    const unused = { afterMs: 10, most: 9, clockMs: () => asyncScheduler.now() };
    const { emitted, sent } = play('a 20ms b', { a: turn('a', 'hi'), b: turn('b', 'hi', on) }, { unused });
    expect(emitted).toMatch(/, b task_started, b task_complete$/);
    expect(sent.slice(3).join(', ')).toBe(
      '1 thread/start, 1 turn/start, 1 thread/unsubscribe, 1 thread/resume, 1 turn/start, 1 thread/unsubscribe',
    );
  });

  it('refuses a reply when there is no thread yet, and a call that the configuration forbids', () => {
    const paramsOf = () => {
      throw new ConfigError('no such profile');
    };
    const { events } = play('ab', { a: turn('a', 'hi', { newest: true }), b: turn('b', 'hi') }, { paramsOf });
    expect(events).toMatchObject([
      { kind: 'rejected', callId: 'a', message: expect.stringContaining('no thread on this connection') },
      { kind: 'rejected', callId: 'b', message: 'Failed to load Codex configuration: no such profile' },
    ]);
  });

  it('refuses a thread that the server cannot load, with the error of the server', () => {
    const script = answering('thread/resume', (asked) => of(failure(asked, 'no rollout found')).pipe(delay(1)));
    const { events } = play('a', { a: turn('a', 'hi', on) }, { script });
    const message = expect.stringMatching(/could not be loaded: no rollout found\. .*start a new one/);
    expect(events).toMatchObject([{ kind: 'rejected', message }]);
  });

  it('loads a thread again that the server unloaded, with the settings of its rollout', () => {
    const { script, turns } = unloading();
    const readRollout = (path: string) =>
      path === '/rollout' ? '{"type":"turn_context","payload":{"approval_policy":"never"}}' : undefined;
    const ops = { a: turn('a', 'hi', on), b: turn('b', 'again', on) };
    const { emitted } = play('a----b', ops, { script, readRollout });
    expect(emitted).toBe('a task_started, a task_complete, b task_started, b task_complete');
    expect(turns).toMatchObject([{ approvalPolicy: 'never' }, {}, { approvalPolicy: 'never' }]);
  });

  it('drops a call that is cancelled while another has the thread', () => {
    const ops = { a: turn('a', 'hang', on), b: turn('b', 'hi', on), x: interrupt('b'), y: interrupt('a') };
    const { emitted } = play('ab------x--y', ops, { script: mortal });
    expect(emitted).toBe('a task_started, b turn_aborted, a turn_aborted');
  });

  it('ignores events of the previous turn', () => {
    const ops = { a: turn('a', 'first', on), b: turn('b', 'second', on) };
    const { emitted } = play('a-----b', ops, { script: lateEvents });
    expect(emitted).toBe('a task_started, a task_complete, b task_started, b task_complete');
  });
});

describe('a server that dies', () => {
  it('fails its turn, and another is started for the call that waited, which loads the thread', () => {
    const ops = { a: turn('a', 'die'), b: turn('b', 'hi', { newest: true }) };
    const { emitted, errors, sent } = play('ab', ops, { script: mortal });
    expect(emitted).toBe('a session_configured, a error, a task_complete, b task_started, b task_complete');
    expect(errors).toBe('exit code 9');
    expect(sent.filter((line) => line.startsWith('2 ')).join(', ')).toBe(
      '2 starts, 2 initialize, 2 initialized, 2 thread/resume, 2 turn/start',
    );
  });

  it.each([
    ['a new thread, before it is started', 'thread/start', { start: {} }, 'a session_configured, '],
    [
      'a new thread, before its turn began',
      'turn/start',
      { start: {} },
      'a session_configured, a session_configured, ',
    ],
    ['a thread of another server, before it is loaded', 'thread/resume', on, ''],
    ['a thread of another server, before its turn began', 'turn/start', on, ''],
  ])('is replaced, if it dies in %s', (_, method, thread, first) => {
    const script: Script = (asked, life) => (life === 1 && asked.method === method ? dies : usual(asked, life));
    const { emitted, sent } = play('a', { a: turn('a', 'hi', thread) }, { script });
    expect(emitted).toBe(`${first}a task_started, a task_complete`);
    expect(sent.filter((line) => line === '2 turn/start')).toHaveLength(1);
  });

  it('is replaced once: a turn that has not begun fails when the next server dies, and so does a call', () => {
    const { emitted, sent } = play('a', { a: turn('a', 'gone') }, { script: mortal });
    expect(emitted).toBe('a session_configured, a session_configured, a error, a task_complete');
    expect(sent.filter((line) => line.endsWith('starts'))).toEqual(['1 starts', '2 starts']);
    const { events } = play('a', { a: turn('a', 'hi') }, { script: answering('thread/start', () => dies) });
    expect(events).toEqual([{ kind: 'rejected', callId: 'a', message: 'exit code 9' }]);
  });

  it('has a successor that may load its thread slowly', () => {
    const script: Script = (asked, life) => {
      if (life === 1 && promptOf(asked) === 'again') return dies;
      return usual(asked, life).pipe(delay(asked.method === 'thread/resume' ? 3_000 : 0));
    };
    const ops = { a: turn('a', 'hi'), b: turn('b', 'again', { newest: true }) };
    const { emitted, sent } = play('a------b', ops, { script });
    expect(emitted).toMatch(/, b task_started, b task_complete$/);
    expect(sent.filter((line) => /starts/.test(line))).toEqual(['1 starts', '2 starts']);
  });
});

describe('a server that hangs', () => {
  it('is ended at an interrupt; its other calls fail, and the next call starts another', () => {
    const ops = {
      a: turn('a', 'hang', on),
      b: turn('b', 'hang', { id: 'O' }),
      x: interrupt('a'),
      c: turn('c', 'hi', on),
    };
    const { emitted, errors, sent } = play('ab---x 20s c', ops, { script: silentAt('turn/interrupt', mortal) });
    expect(emitted).toBe(
      'a task_started, b task_started, a turn_aborted, b error, b task_complete, c task_started, c task_complete',
    );
    expect(errors).toBe('The codex app-server was silent for 10 s after turn/interrupt and was ended.');
    expect(sent.filter((line) => /starts|ends/.test(line))).toEqual(['1 starts', '1 ends', '2 starts']);
  });

  it.each(['thread/resume', 'turn/start'])('is replaced at %s', (method) => {
    const { emitted, sent } = play('a', { a: turn('a', 'hi', on) }, { script: silentAt(method, usual) });
    expect(emitted).toBe('a task_started, a task_complete');
    expect(sent.filter((line) => /starts|ends/.test(line)).slice(0, 3)).toEqual(['1 starts', '1 ends', '2 starts']);
  });
});

describe('a turn that does not end', () => {
  it('is stopped when it is cancelled, and ended from this side if the server does not', () => {
    const { emitted, sent } = play('a--x', { a: turn('a', 'hang'), x: interrupt('a') }, { script: mortal });
    expect(emitted).toBe('a session_configured, a task_started, a turn_aborted');
    expect(sent.at(-1)).toBe('1 turn/interrupt');
  });

  it('is stopped when it takes too long, before it began as well', () => {
    const { emitted, errors } = play('a', { a: turn('a', 'hang') }, { script: mortal, turnTimeoutMs: 9_000 });
    expect(emitted).toBe('a session_configured, a task_started, a error, a turn_aborted');
    expect(errors).toBe('The turn took longer than 9 s and was stopped.');
    const silent = { placeOf: () => of(placeWith(() => NEVER)), turnTimeoutMs: 9_000 };
    expect(play('a', { a: turn('a', 'hi') }, silent).emitted).toBe('a error, a turn_aborted');
  });

  it('is stopped when the model cannot be reached, for which the server would wait without end', () => {
    const retry = notify('error', { threadId: THREAD, turnId: 'h', willRetry: true, error: { message: 'no route' } });
    const script = answering('turn/start', (asked) =>
      of(answer(asked, { turn: { id: 'h' } }), started('h'), retry).pipe(delay(1)),
    );
    const { emitted, errors } = play('a', { a: turn('a', 'hi') }, { script, modelWaitMs: 2_000 });
    expect(emitted).toMatch(/, a stream_error, a error, a turn_aborted$/);
    expect(errors).toContain('could not be reached for 2 s');
  });
});

describe('a question of the server', () => {
  it('is put to the person; an approved command begins then', () => {
    const ask = personSaying({ decision: 'approved' });
    const { emitted, sent } = play('a', { a: turn('a', 'go') }, { script: asking, turnTimeoutMs: 50, ask });
    expect(emitted).toContain('a task_started, a exec_approval_request, a exec_command_begin');
    expect(sent).toContain('1 {"decision":"accept"}');
  });

  it('is reported as declined, with the reason, if nobody could be asked', () => {
    const ask = personSaying({ decision: 'denied', reason: 'nobody is there' });
    const { events } = play('a', { a: turn('a', 'go') }, { script: asking, turnTimeoutMs: 50, ask });
    const declined = { what: '`touch x`', reason: 'nobody is there' };
    expect(events.find(({ kind }) => kind === 'declined')).toMatchObject(declined);
  });

  it('is withdrawn from the person when the server withdraws it', () => {
    const { events } = play('a', { a: turn('a', 'back') }, { script: asking, turnTimeoutMs: 50, ask: nobody });
    const withdrawn = { question: 7, reason: 'Codex withdrew the question' };
    expect(events.find(({ kind }) => kind === 'declined')).toMatchObject(withdrawn);
  });

  it.each([
    ['of a turn that is over is declined', 'item/commandExecution/requestApproval', { decision: 'decline' }],
    ['of its MCP servers is declined', 'mcpServer/elicitation/request', { action: 'decline', content: null }],
  ])('%s', (_, method, result) => {
    const script = requesting({ method, params: { threadId: 'other' } });
    expect(play('a', { a: turn('a', 'hi') }, { script }).sent).toContain(`1 ${JSON.stringify(result)}`);
  });

  it('is refused at once if it is not known', () => {
    const { sent } = play('a', { a: turn('a', 'hi') }, { script: requesting({ method: 'x/y', params: {} }) });
    expect(sent.join()).toContain('"code":-32601,"message":"unknown method x/y"');
  });
});

type More = Parameters<typeof depsOf>[1] & { script?: Script; ask?: Ask };

/** Plays calls to the end of virtual time: what was emitted, in short and as it is, the texts of errors, and what the servers received. */
const play = (marble: string, ops: Record<string, Op>, { script = usual, ask, ...more }: More = {}) => {
  const sent: string[] = [];
  const events: Event[] = [];
  marbles((helpers) => {
    const deps = depsOf(scriptedServer(script, sent), more);
    events.push(...played(helpers, helpers.hot<Op>(marble, ops), deps, ask));
  })();
  const emitted = events.map((event) => `${event.callId} ${inShort(event)}`).join(', ');
  const errors = events
    .flatMap((event) => (event.kind === 'event' && event.msg.type === 'error' ? [event.msg.message] : []))
    .join();
  return { events, emitted, errors, sent };
};

const interrupt = (callId: string): Op => ({ kind: 'interrupt', callId });

const dies = timer(5).pipe(concatMap(() => throwError(() => new Error('exit code 9'))));

/** Dies in the turn of the prompt `die`, before the turn of `gone` begins, and never ends the turn of `hang`. */
const mortal: Script = (asked, life) => {
  if (promptOf(asked) === 'die') return concat(of(answer(asked, { turn: { id: 'd' } })).pipe(delay(1)), dies);
  if (promptOf(asked) === 'gone') return dies;
  if (promptOf(asked) !== 'hang') return usual(asked, life);
  const { threadId } = asked.params;
  const begun = notify('turn/started', { threadId, turn: { id: 'h' } });
  return of(answer(asked, { turn: { id: 'h' } }), begun).pipe(delay(1));
};

/** The usual server, but for one method. */
const answering =
  (method: string, own: Script): Script =>
  (asked, life) =>
    asked.method === method ? own(asked, life) : usual(asked, life);

/** A server whose first process does not answer a method. */
const silentAt =
  (method: string, script: Script): Script =>
  (asked, life) =>
    life === 1 && asked.method === method ? EMPTY : script(asked, life);

/** A server that sends a request of its own when a thread starts. */
const requesting = (own: { method: string; params: JsonObject }): Script =>
  answering('thread/start', (asked) =>
    of<RpcIncoming<JsonObject>[]>(answer(asked, { thread: { id: THREAD } }), { kind: 'request', id: 9, ...own }),
  );

/** A server whose threads have the name of its place. */
const placeOfItsOwn =
  (name: string): Script =>
  (asked, life) => {
    const about = (status?: string) => ({ threadId: name, turn: { id: `${asked.id}`, status } });
    if (asked.method === 'thread/start') return of(answer(asked, { thread: { id: name } })).pipe(delay(1));
    if (asked.method !== 'turn/start') return usual(asked, life);
    return of(
      answer(asked, { turn: { id: `${asked.id}` } }),
      notify('turn/started', about()),
      notify('turn/completed', about('completed')),
    ).pipe(delay(1));
  };

/** A server that has unloaded the thread when the prompt `again` comes; `turns` are the params of the turns it was asked for. */
const unloading = () => {
  let refused = 0;
  const turns: unknown[] = [];
  const script: Script = (asked, life) => {
    if (promptOf(asked) !== '') turns.push(asked.params);
    if (promptOf(asked) === 'again' && refused++ === 0) return of(failure(asked, 'thread not found')).pipe(delay(1));
    return asked.method === 'thread/resume'
      ? of(answer(asked, { thread: { id: THREAD, path: '/rollout' } })).pipe(delay(1))
      : usual(asked, life);
  };
  return { script, turns };
};

/** A server that reports the failure of the first turn again while the second begins. */
const lateEvents: Script = (asked, life) => {
  const begun = (id: string) => [answer(asked, { turn: { id } }), started(id)];
  const late = completed('turn-before', 'failed');
  if (promptOf(asked) === 'first') return of(...begun('turn-before'), completed('turn-before')).pipe(delay(1));
  if (promptOf(asked) !== 'second') return usual(asked, life);
  return of(late, ...begun('two'), { ...late }, completed('two')).pipe(delay(1));
};

/** A server that asks in the turn, and withdraws the question if the prompt is `back`. */
const asking = answering('turn/start', (asked) => {
  const turn = { threadId: THREAD, turnId: 'h' };
  const command = { command: 'touch x', cwd: '/w' };
  const item = { id: 'i', type: 'commandExecution', source: 'agent', ...command };
  const params = { ...turn, itemId: 'i', ...command };
  const withdrawn = notify('serverRequest/resolved', { threadId: THREAD, requestId: 'q' });
  return of<RpcIncoming<JsonObject>[]>(
    answer(asked, { turn: { id: 'h' } }),
    started('h'),
    notify('item/started', { ...turn, item }),
    { kind: 'request', id: 'q', method: 'item/commandExecution/requestApproval', params },
    ...(promptOf(asked) === 'back' ? [withdrawn] : []),
  ).pipe(concatMap((received) => of(received).pipe(delay(1))));
});
