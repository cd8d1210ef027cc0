/** The engine in front of a server that dies, is slow, asks, or refuses: every call has its end. */
import { asyncScheduler, concat, EMPTY, NEVER, of, throwError, timer } from 'rxjs';
import { concatMap, delay } from 'rxjs/operators';
import type { AppServerDeps } from '../../../src/agent/appServer/appServerAgent';
import type { ServerPlace } from '../../../src/agent/appServer/threads/openThread';
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

const dies = timer(5).pipe(concatMap(() => throwError(() => new Error('exit code 9'))));
/** Dies in the turn of the prompt `die`, before that of `gone` begins, never ends one that says `hang`. */
const mortal: Script = (asked, life) => {
  if (promptOf(asked) === 'die') return concat(of(answer(asked, { turn: { id: 'd' } })).pipe(delay(1)), dies);
  if (promptOf(asked) === 'gone') return dies;
  if (promptOf(asked) !== 'hang') return usual(asked, life);
  const { threadId } = asked.params;
  return of(answer(asked, { turn: { id: 'h' } }), notify('turn/started', { threadId, turn: { id: 'h' } })).pipe(
    delay(1),
  );
};

const words = (events: readonly Event[]): string[] => events.map((event) => `${event.callId} ${inShort(event)}`);
const messageOf = (events: readonly Event[], type: string): string =>
  events
    .flatMap((event) =>
      event.kind === 'event' && event.msg.type === type && 'message' in event.msg ? [event.msg] : [],
    )
    .map(({ message }) => message)
    .join();

const on = { id: THREAD };
const OTHER = 'O';

describe('appServerAgent', () => {
  it(
    'starts one server for all threads, by the first call',
    marbles((helpers) => {
      const sent: string[] = [];
      const op$ = helpers.hot<Op>('----a---b', { a: turn('a', 'hi'), b: turn('b', 'hi', on) });
      const events = played(helpers, op$, depsOf(scriptedServer(usual, sent)));
      expect(words(events)).toEqual([
        'a session_configured',
        'a task_started',
        'a task_complete',
        'b task_started',
        'b task_complete',
      ]);
      expect(sent).toEqual([
        '1 starts',
        '1 initialize',
        '1 initialized',
        '1 thread/start',
        '1 turn/start',
        '1 turn/start',
      ]);
    }),
  );

  it(
    'has a server in each place, started by its first thread and ended with the engine; a thread stays in its place',
    marbles((helpers) => {
      const sent: string[] = [];
      const began: string[] = [];
      const server =
        (name: string): Script =>
        (asked, life) => {
          const of_ = (status?: string) => ({ threadId: name, turn: { id: `${asked.id}`, status } });
          if (asked.method === 'thread/start') return of(answer(asked, { thread: { id: name } })).pipe(delay(1));
          if (asked.method !== 'turn/start') return usual(asked, life);
          return of(
            answer(asked, { turn: { id: `${asked.id}` } }),
            notify('turn/started', of_()),
            notify('turn/completed', of_('completed')),
          ).pipe(delay(1));
        };
      const places = ['here', 'there'].map((name) => {
        const own: string[] = [];
        const place = placeWith(scriptedServer(server(name), own), { began: (id) => began.push(`${name} has ${id}`) });
        return { name, own, place };
      });
      const placeOf: AppServerDeps['placeOf'] = ({ thread, settings }) =>
        of(thread?.place ?? (places[settings?.config?.there ? 1 : 0] as { place: ServerPlace }).place);
      const op$ = helpers.hot<Op>('a 9ms b 9ms c 9ms d', {
        a: turn('a', 'hi'),
        b: turn('b', 'hi', { start: { config: { there: true } } }),
        c: turn('c', 'hi', { id: 'there' }),
        d: turn('d', 'hi', { id: 'here' }),
      });
      const events = played(helpers, op$, { ...depsOf(scriptedServer(usual, sent)), placeOf });
      expect(words(events).filter((word) => /complete|aborted|rejected/.test(word))).toEqual([
        'a task_complete',
        'b task_complete',
        'c task_complete',
        'd task_complete',
      ]);
      const requests = ['starts', 'initialize', 'initialized', 'thread/start', 'turn/start', 'turn/start'];
      for (const { own } of places) expect(own).toEqual(requests.map((request) => `1 ${request}`));
      expect(began).toEqual(['here has here', 'there has there']);
    }),
  );

  it(
    'leaves an unused thread to the server, and loads it again for the next turn',
    marbles((helpers) => {
      const sent: string[] = [];
      const op$ = helpers.hot<Op>('a 20ms b', { a: turn('a', 'hi'), b: turn('b', 'hi', on) });
      const unused = { afterMs: 10, most: 9, clockMs: () => asyncScheduler.now() };
      const events = played(helpers, op$, depsOf(scriptedServer(usual, sent), { unused }));
      expect(words(events).slice(3)).toEqual(['b task_started', 'b task_complete']);
      expect(sent.slice(3)).toEqual([
        '1 thread/start',
        '1 turn/start',
        '1 thread/unsubscribe',
        '1 thread/resume',
        '1 turn/start',
        '1 thread/unsubscribe',
      ]);
    }),
  );

  it(
    'fails the turn of a server that dies, and starts another for the call that waited, which loads the thread',
    marbles((helpers) => {
      const sent: string[] = [];
      const op$ = helpers.hot<Op>('ab', { a: turn('a', 'die'), b: turn('b', 'hi', { newest: true }) });
      const events = played(helpers, op$, depsOf(scriptedServer(mortal, sent)));
      expect(words(events)).toEqual([
        'a session_configured',
        'a error',
        'a task_complete',
        'b task_started',
        'b task_complete',
      ]);
      expect(messageOf(events, 'error')).toBe('exit code 9');
      expect(sent.filter((line) => /^2 /.test(line))).toEqual([
        '2 starts',
        '2 initialize',
        '2 initialized',
        '2 thread/resume',
        '2 turn/start',
      ]);
    }),
  );

  it.each([
    ['a new thread, before it is started', 'thread/start', { start: {} }, ['a session_configured']],
    [
      'a new thread, before its turn began',
      'turn/start',
      { start: {} },
      ['a session_configured', 'a session_configured'],
    ],
    ['a thread of another server, before it is loaded', 'thread/resume', on, []],
    ['a thread of another server, before its turn began', 'turn/start', on, []],
  ])('asks another server where one dies in %s', (_, method, thread, first) =>
    marbles((helpers) => {
      const sent: string[] = [];
      const script: Script = (asked, life) => (life === 1 && asked.method === method ? dies : usual(asked, life));
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'hi', thread) });
      const events = played(helpers, op$, depsOf(scriptedServer(script, sent)));
      expect(words(events)).toEqual([...first, 'a task_started', 'a task_complete']);
      expect(sent.filter((line) => line === '2 turn/start')).toHaveLength(1);
    })(),
  );

  it(
    'fails a turn whose servers die twice before it began, and rejects a call whose servers die twice',
    marbles((helpers) => {
      const sent: string[] = [];
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'gone') });
      const events = played(helpers, op$, depsOf(scriptedServer(mortal, sent)));
      expect(words(events)).toEqual(['a session_configured', 'a session_configured', 'a error', 'a task_complete']);
      expect(sent.filter((line) => line.endsWith('starts'))).toEqual(['1 starts', '2 starts']);
      const deps = depsOf(
        scriptedServer((asked, life) => (asked.method === 'thread/start' ? dies : usual(asked, life))),
      );
      expect(played(helpers, helpers.hot<Op>('a', { a: turn('a', 'hi') }), deps)).toEqual([
        { kind: 'rejected', callId: 'a', message: 'exit code 9' },
      ]);
    }),
  );

  it(
    'ends a server that hangs at an interrupt; its other calls fail, and the next one starts another',
    marbles((helpers) => {
      const sent: string[] = [];
      const silent: Script = (asked, life) =>
        life === 1 && asked.method === 'turn/interrupt' ? EMPTY : mortal(asked, life);
      const op$ = helpers.hot<Op>('ab---x 20s c', {
        a: turn('a', 'hang', on),
        b: turn('b', 'hang', { id: OTHER }),
        x: { kind: 'interrupt', callId: 'a' },
        c: turn('c', 'hi', on),
      });
      const events = played(helpers, op$, depsOf(scriptedServer(silent, sent)));
      expect(words(events)).toEqual([
        'a task_started',
        'b task_started',
        'a turn_aborted',
        'b error',
        'b task_complete',
        'c task_started',
        'c task_complete',
      ]);
      expect(messageOf(events, 'error')).toBe(
        'The codex app-server was silent for 10 s after turn/interrupt and was ended.',
      );
      expect(sent.filter((line) => /starts|ends/.test(line))).toEqual(['1 starts', '1 ends', '2 starts']);
    }),
  );

  it.each(['thread/resume', 'turn/start'])('asks another server where one hangs at %s', (method) =>
    marbles((helpers) => {
      const sent: string[] = [];
      const silent: Script = (asked, life) => (life === 1 && asked.method === method ? EMPTY : usual(asked, life));
      const events = played(
        helpers,
        helpers.hot<Op>('a', { a: turn('a', 'hi', on) }),
        depsOf(scriptedServer(silent, sent)),
      );
      expect(words(events)).toEqual(['a task_started', 'a task_complete']);
      expect(sent.filter((line) => /starts|ends/.test(line)).slice(0, 3)).toEqual(['1 starts', '1 ends', '2 starts']);
    })(),
  );

  it(
    'keeps the server that replaces another while it loads a thread slowly',
    marbles((helpers) => {
      const sent: string[] = [];
      const slow: Script = (asked, life) => {
        if (life === 1 && promptOf(asked) === 'again') return dies;
        return usual(asked, life).pipe(delay(asked.method === 'thread/resume' ? 3_000 : 0));
      };
      const op$ = helpers.hot<Op>('a------b', { a: turn('a', 'hi'), b: turn('b', 'again', { newest: true }) });
      const events = played(helpers, op$, depsOf(scriptedServer(slow, sent)));
      expect(words(events).slice(3)).toEqual(['b task_started', 'b task_complete']);
      expect(sent.filter((line) => /starts/.test(line))).toEqual(['1 starts', '2 starts']);
    }),
  );

  it(
    'refuses a reply when there is no thread yet, and a call that the configuration forbids',
    marbles((helpers) => {
      const op$ = helpers.hot<Op>('ab', { a: turn('a', 'hi', { newest: true }), b: turn('b', 'hi') });
      const paramsOf = () => {
        throw new ConfigError('no such profile');
      };
      const events = played(helpers, op$, depsOf(scriptedServer(usual), { paramsOf }));
      expect(events).toMatchObject([
        { kind: 'rejected', callId: 'a', message: expect.stringContaining('no thread on this connection') },
        { kind: 'rejected', callId: 'b', message: 'Failed to load Codex configuration: no such profile' },
      ]);
    }),
  );

  it(
    'refuses a thread that the server cannot load, with the error of the server',
    marbles((helpers) => {
      const script: Script = (asked, life) =>
        asked.method === 'thread/resume' ? of(failure(asked, 'no rollout found')).pipe(delay(1)) : usual(asked, life);
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'hi', on) });
      expect(played(helpers, op$, depsOf(scriptedServer(script)))).toMatchObject([
        {
          kind: 'rejected',
          message: expect.stringMatching(/could not be loaded: no rollout found\. .*start a new one/),
        },
      ]);
    }),
  );

  it(
    'loads a thread again that the server unloaded, with the settings of its rollout',
    marbles((helpers) => {
      let refused = 0;
      const turns: unknown[] = [];
      const script: Script = (asked, life) => {
        if (promptOf(asked) !== '') turns.push(asked.params);
        if (promptOf(asked) === 'again' && refused++ === 0)
          return of(failure(asked, 'thread not found')).pipe(delay(1));
        return asked.method === 'thread/resume'
          ? of(answer(asked, { thread: { id: THREAD, path: '/rollout' } })).pipe(delay(1))
          : usual(asked, life);
      };
      const readRollout = (path: string) =>
        path === '/rollout' ? '{"type":"turn_context","payload":{"approval_policy":"never"}}' : undefined;
      const op$ = helpers.hot<Op>('a----b', { a: turn('a', 'hi', on), b: turn('b', 'again', on) });
      const events = played(helpers, op$, depsOf(scriptedServer(script), { readRollout }));
      expect(words(events)).toEqual(['a task_started', 'a task_complete', 'b task_started', 'b task_complete']);
      expect(turns).toMatchObject([{ approvalPolicy: 'never' }, {}, { approvalPolicy: 'never' }]);
    }),
  );

  it(
    'stops a turn that is cancelled, and ends it by itself when the server does not',
    marbles((helpers) => {
      const sent: string[] = [];
      const op$ = helpers.hot<Op>('a--x', { a: turn('a', 'hang'), x: { kind: 'interrupt', callId: 'a' } });
      const events = played(helpers, op$, depsOf(scriptedServer(mortal, sent)));
      expect(words(events)).toEqual(['a session_configured', 'a task_started', 'a turn_aborted']);
      expect(sent.at(-1)).toBe('1 turn/interrupt');
    }),
  );

  it(
    'stops a turn that takes too long, before it began as well',
    marbles((helpers) => {
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'hang') });
      const events = played(helpers, op$, depsOf(scriptedServer(mortal), { turnTimeoutMs: 9_000 }));
      expect(words(events)).toEqual(['a session_configured', 'a task_started', 'a error', 'a turn_aborted']);
      expect(messageOf(events, 'error')).toBe('The turn took longer than 9 s and was stopped.');
      expect(
        words(
          played(
            helpers,
            helpers.hot('a', { a: turn('a', 'hi') }),
            depsOf(() => NEVER, { turnTimeoutMs: 9_000 }),
          ),
        ),
      ).toEqual(['a error', 'a turn_aborted']);
    }),
  );

  it(
    'drops a call that is cancelled while another has the thread',
    marbles((helpers) => {
      const op$ = helpers.hot<Op>('ab------x--y', {
        a: turn('a', 'hang', on),
        b: turn('b', 'hi', on),
        x: { kind: 'interrupt', callId: 'b' },
        y: { kind: 'interrupt', callId: 'a' },
      });
      const events = played(helpers, op$, depsOf(scriptedServer(mortal)));
      expect(words(events)).toEqual(['a task_started', 'b turn_aborted', 'a turn_aborted']);
    }),
  );

  it(
    'reports that a model cannot be reached, which the server would wait for without end',
    marbles((helpers) => {
      const retry = notify('error', { threadId: THREAD, turnId: 'h', willRetry: true, error: { message: 'no route' } });
      const script: Script = (asked, life) =>
        promptOf(asked) === ''
          ? usual(asked, life)
          : of(answer(asked, { turn: { id: 'h' } }), started('h'), retry).pipe(delay(1));
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'hi') });
      const events = played(helpers, op$, depsOf(scriptedServer(script), { modelWaitMs: 2_000 }));
      expect(words(events).slice(-3)).toEqual(['a stream_error', 'a error', 'a turn_aborted']);
      expect(messageOf(events, 'error')).toContain('could not be reached for 2 s');
    }),
  );
});

describe('a question of the server', () => {
  const question = { kind: 'request', id: 'q', method: 'item/commandExecution/requestApproval' } as const;
  const params = { threadId: THREAD, turnId: 'h', itemId: 'i', command: 'touch x', cwd: '/w' };
  const item = { id: 'i', type: 'commandExecution', source: 'agent', command: 'touch x', cwd: '/w' };
  /** Asks in the turn, and takes the question back when the prompt says so. */
  const asking: Script = (asked, life) => {
    if (promptOf(asked) === '') return usual(asked, life);
    const back =
      promptOf(asked) === 'back' ? [notify('serverRequest/resolved', { threadId: THREAD, requestId: 'q' })] : [];
    return of(
      answer(asked, { turn: { id: 'h' } }),
      started('h'),
      notify('item/started', { threadId: THREAD, turnId: 'h', item }),
      { ...question, params },
      ...back,
    ).pipe(concatMap((received) => of(received).pipe(delay(1))));
  };

  it(
    'is put to the person; what was allowed begins then',
    marbles((helpers) => {
      const sent: string[] = [];
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'go') });
      const deps = depsOf(scriptedServer(asking, sent), { turnTimeoutMs: 50 });
      const events = played(helpers, op$, deps, personSaying({ decision: 'approved' }));
      expect(words(events).slice(2, 4)).toEqual(['a exec_approval_request', 'a exec_command_begin']);
      expect(sent).toContain('1 {"decision":"accept"}');
    }),
  );

  it(
    'reports why an item was declined that nobody could be asked about',
    marbles((helpers) => {
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'go') });
      const deps = depsOf(scriptedServer(asking), { turnTimeoutMs: 50 });
      const ask = personSaying({ decision: 'denied', reason: 'nobody is there' });
      const events = played(helpers, op$, deps, ask);
      expect(events.find(({ kind }) => kind === 'declined')).toMatchObject({
        what: '`touch x`',
        reason: 'nobody is there',
      });
    }),
  );

  it(
    'is withdrawn from the person when the server withdraws it',
    marbles((helpers) => {
      const op$ = helpers.hot<Op>('a', { a: turn('a', 'back') });
      const events = played(helpers, op$, depsOf(scriptedServer(asking), { turnTimeoutMs: 50 }), nobody);
      expect(events.find(({ kind }) => kind === 'declined')).toMatchObject({
        question: 7,
        reason: 'Codex withdrew the question',
      });
    }),
  );

  it.each([
    ['of a turn that is over is declined', question.method, { decision: 'decline' }],
    ['of its MCP servers is declined', 'mcpServer/elicitation/request', { action: 'decline', content: null }],
  ])('%s', (_, method, result) =>
    marbles((helpers) => {
      const sent: string[] = [];
      const script: Script = (asked, life) =>
        asked.method === 'thread/start'
          ? of<RpcIncoming<JsonObject>[]>(answer(asked, { thread: { id: THREAD } }), {
              kind: 'request',
              id: 9,
              method,
              params: { threadId: 'other' },
            })
          : usual(asked, life);
      played(helpers, helpers.hot<Op>('a', { a: turn('a', 'hi') }), depsOf(scriptedServer(script, sent)), () => EMPTY);
      expect(sent).toContain(`1 ${JSON.stringify(result)}`);
    })(),
  );

  it(
    'that is not known is refused at once',
    marbles((helpers) => {
      const sent: string[] = [];
      const script: Script = (asked, life) =>
        asked.method === 'thread/start'
          ? of<RpcIncoming<JsonObject>[]>(answer(asked, { thread: { id: THREAD } }), {
              kind: 'request',
              id: 9,
              method: 'x/y',
              params: {},
            })
          : usual(asked, life);
      played(helpers, helpers.hot<Op>('a', { a: turn('a', 'hi') }), depsOf(scriptedServer(script, sent)));
      expect(sent.join()).toContain('"code":-32601,"message":"unknown method x/y"');
    }),
  );
});

describe('a turn among others', () => {
  it(
    'ignores events of the turn before',
    marbles((helpers) => {
      const late = completed('turn-before', 'failed');
      const script: Script = (asked, life) => {
        if (promptOf(asked) !== 'second') return usual(asked, life);
        return of(late, answer(asked, { turn: { id: 'two' } }), started('two'), { ...late }, completed('two')).pipe(
          delay(1),
        );
      };
      const first: Script = (asked, life) =>
        promptOf(asked) === 'first'
          ? of(answer(asked, { turn: { id: 'turn-before' } }), started('turn-before'), completed('turn-before')).pipe(
              delay(1),
            )
          : script(asked, life);
      const op$ = helpers.hot<Op>('a-----b', { a: turn('a', 'first', on), b: turn('b', 'second', on) });
      expect(words(played(helpers, op$, depsOf(scriptedServer(first))))).toEqual([
        'a task_started',
        'a task_complete',
        'b task_started',
        'b task_complete',
      ]);
    }),
  );
});
