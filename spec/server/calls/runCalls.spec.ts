import { map, mergeMap, NEVER, type Observable, of, tap, throwError, timer } from 'rxjs';
import { CannotBegin } from '../../../src/agent/turns/rejection';
import type { Ask, Engine } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { type Op, type TurnOp, toInput } from '../../../src/protocol/codex/operations';
import { type Log, silentLog } from '../../../src/protocol/log';
import { type Call, type Calls, noCalls } from '../../../src/server/calls/calls';
import { reduceCalls } from '../../../src/server/calls/reduceCalls';
import {
  type ConnectionReducer,
  logEvents,
  runCalls,
  toRecord,
  withoutErrors,
} from '../../../src/server/calls/runCalls';
import type { CallInput, CallOutput } from '../../../src/server/calls/step';
import { marbles } from '../../support/marbles';
import { aborted, complete, delta, engine, request, started, THREAD, turnEventOf } from '../../support/mcp';

/** A face beside MCP: who waits is a conversation, by its letter. */
type Conversation = { letter: string };

const call = (callId: string, requestId = callId): Call<Conversation> => ({
  callId,
  requestId,
  asksBy: 'request',
  caller: { letter: callId },
});

const begin = (callId: string, prompt: string, requestId?: string): CallInput<Conversation> => {
  const op: TurnOp = {
    kind: 'turn',
    callId,
    eventId: '1',
    thread: { start: {} },
    input: toInput(prompt),
    askable: true,
  };
  return { kind: 'begin', call: call(callId, requestId), op };
};

const inputs: Record<string, CallInput<Conversation>> = {
  h: begin('h', 'say hi'),
  g: begin('g', 'go on'),
  o: begin('o', 'go on', 'g'),
  q: begin('q', 'ask'),
  y: { kind: 'answered', question: 0, verdict: { decision: 'approved' } },
  x: { kind: 'cancel', requestId: 'g' },
  z: { kind: 'end', cause: 'over' },
};

/** An output as its kind, or as the type of its event, with the letter of its conversation. */
const brief = (output: CallOutput<Conversation>): string => {
  const { letter } = output.call.caller;
  switch (output.kind) {
    case 'event':
      return `${letter} ${output.event.msg.type}`;
    case 'finished':
      return `${letter} ${output.outcome.kind}`;
    default:
      return `${letter} ${output.kind}`;
  }
};

/** The reducer of the calls alone. */
const calls: ConnectionReducer<Calls<Conversation>, CallInput<Conversation>, CallOutput<Conversation>> = {
  initial: noCalls(),
  reduce: reduceCalls,
  isEnded: ({ ended }) => ended,
};

const run = (input$: Observable<CallInput<Conversation>>, by: Engine = engine): Observable<string> => {
  let next = 0;
  const deps = { engine: by, log: silentLog, newQuestionId: () => next++, askTimeoutMs: 600_000 };
  return input$.pipe(runCalls(deps, calls), map(brief));
};

const emitted = {
  H: 'h begun',
  h: 'h task_started',
  e: 'h task_complete',
  E: 'h completed',
  G: 'g begun',
  g: 'g task_started',
  a: 'g turn_aborted',
  X: 'g cancelled',
  S: 'g stopped',
  O: 'o begun',
  o: 'o task_started',
  b: 'o turn_aborted',
  Y: 'o cancelled',
  B: 'q begun',
  q: 'q exec_approval_request',
  Q: 'q question',
  c: 'q task_complete',
  C: 'q completed',
};

const op: TurnOp = {
  kind: 'turn',
  callId: 'c',
  eventId: '1',
  thread: { newest: true },
  input: toInput('secret'),
  askable: true,
};

const says = (msg: EventMsg): Event => turnEventOf(op, msg);

describe('runCalls', () => {
  it(
    'begins a call, and emits its events before its outcome',
    marbles(({ hot, expectObservable }) => {
      const input$ = hot('  -h-----z', inputs);
      const expected = '    -(HheE)|';
      expectObservable(run(input$)).toBe(expected, emitted);
    }),
  );

  it(
    'loses no input that comes while it is being subscribed',
    marbles(({ expectObservable }) => {
      expectObservable(run(of(inputs.h as CallInput<Conversation>, inputs.z as CallInput<Conversation>))).toBe(
        '(HheE|)',
        emitted,
      );
    }),
  );

  it(
    'puts a question and gives the engine the verdict',
    marbles(({ hot, expectObservable }) => {
      const input$ = hot('  q----y---z', inputs);
      const expected = '    (BqQ)(cC)|';
      expectObservable(run(input$)).toBe(expected, emitted);
    }),
  );

  it(
    'stops both calls of a request that is cancelled, and emits that before their turns end',
    marbles(({ hot, expectObservable }) => {
      const input$ = hot('  g---o---x-------z', inputs);
      const expected = '    (Gg)(Oo)(XYab)--|';
      expectObservable(run(input$)).toBe(expected, emitted);
    }),
  );

  it(
    'stops everything at the end, and no event follows',
    marbles(({ hot, expectObservable }) => {
      const input$ = hot('  g------z-y', inputs);
      const expected = '    (Gg)---(S|)';
      expectObservable(run(input$)).toBe(expected, emitted);
    }),
  );

  it(
    'unsubscribes its inputs and its engine when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const input$ = hot('  g-------', inputs);
      const event$ = cold<never>(' ---------');
      const silent: Engine = () => () => event$;
      expectObservable(run(input$, silent), '^---!').toBe('G----', emitted);
      expectSubscriptions(input$.subscriptions).toBe('^---!');
      expectSubscriptions(event$.subscriptions).toBe('^---!');
    }),
  );

  it(
    'rejects the calls of an engine that errors, and goes on',
    marbles(({ hot, expectObservable }) => {
      const broken: Engine = () => () => throwError(() => 'error');
      const values = { B: 'g begun', R: 'g rejected', C: 'h begun', S: 'h rejected' };
      expectObservable(run(hot('-g---h-', inputs), broken)).toBe('-(BR)(CS)', values);
    }),
  );

  it(
    'gives the engine operations only; verdicts go to whoever asks',
    marbles(({ hot, expectObservable, flush }) => {
      const kinds: string[] = [];
      const watched: Engine = (ask) => (op$) =>
        op$.pipe(
          tap(({ kind }) => kinds.push(kind)),
          engine(ask),
        );
      expectObservable(run(hot('q----y---z', inputs), watched)).toBe('(BqQ)(cC)|', emitted);
      flush();
      expect(kinds).toEqual(['turn']);
    }),
  );
});

describe('withoutErrors', () => {
  const begin = (callId: string): Op => ({
    kind: 'turn',
    callId,
    eventId: callId,
    thread: { newest: true },
    askable: true,
    input: [],
  });

  const done = (callId: string): Event => ({ kind: 'done', callId, threadId: 't' });

  const rejected = (callId: string, message: string): Event => ({ kind: 'rejected', callId, message });

  const ops = { a: begin('a'), b: begin('b'), c: begin('c') };

  const events = {
    A: done('a'),
    B: done('b'),
    C: done('c'),
    P: rejected('a', 'internal error: a bug'),
    R: rejected('b', 'internal error: a bug'),
    S: rejected('c', 'internal error: a bug'),
  };

  const ask: Ask = () => NEVER;

  const silent: Log = () => {};

  const bug = (): never => {
    throw new Error('a bug');
  };

  const fails$ = (error: Error = new Error('a bug')): Observable<never> => throwError(() => error);

  /** An engine that ends each call at once, but for `b`, which stays, and at `c` does something else. */
  const engineWith =
    (atC: () => Observable<Event>): Engine =>
    () =>
    (op$) =>
      op$.pipe(
        mergeMap(({ callId }) => {
          if (callId === 'c') return atC();
          return callId === 'b' ? NEVER : of(done(callId));
        }),
      );

  it(
    'passes the events of an engine that does not error',
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  a-b-c-|', ops);
      const expected = ' A---C-|';
      const engine: Engine = () => (op$) => op$.pipe(mergeMap(({ callId }) => (callId === 'b' ? [] : [done(callId)])));
      expectObservable(op$.pipe(withoutErrors(silent, engine)(ask))).toBe(expected, events);
    }),
  );

  it(
    'completes without an operation, and never subscribes the engine for it',
    marbles(({ cold, expectObservable }) => {
      const engine: Engine = () => bug;
      expectObservable(cold('--|', ops).pipe(withoutErrors(silent, engine)(ask))).toBe('--|', events);
      expectObservable(cold('---', ops).pipe(withoutErrors(silent, engine)(ask))).toBe('---', events);
    }),
  );

  it.each([
    ['at once', fails$],
    ['by throwing', bug],
    ['in a stream of its own', () => timer(0).pipe(mergeMap(bug))],
  ])('rejects the calls that are open when it errors %s, and serves the next', (_, atC) => {
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  a-b-c---a-|', ops);
      const expected = ' A---(RS)A-|';
      expectObservable(op$.pipe(withoutErrors(silent, engineWith(atC))(ask))).toBe(expected, events);
    })();
  });

  it(
    'rejects nothing twice, and ends with its source although a call was open',
    marbles(({ hot, expectObservable }) => {
      const op$ = hot('  b-c---c---|', ops);
      const expected = ' --(RS)S---|';
      expectObservable(op$.pipe(withoutErrors(silent, engineWith(fails$))(ask))).toBe(expected, events);
    }),
  );

  it.each<[string, Engine]>([
    ['when it is given the port of questions', bug],
    ['when it is given the operations', () => bug],
    ['at its subscription', () => () => fails$()],
    ['after a while', () => () => timer(2).pipe(mergeMap(bug))],
  ])('rejects one call after the other of an engine that fails each time %s', (_, engine) => {
    marbles(({ hot, expectObservable }) => {
      const isLate = String(engine).includes('timer');
      const op$ = hot('           a-----c----|', ops);
      const expected = isLate ? ' --P-----S--|' : 'P-----S----|';
      expectObservable(op$.pipe(withoutErrors(silent, engine)(ask))).toBe(expected, events);
    })();
  });

  it(
    'stops the engine when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const event$ = cold('---A', events);
      expectObservable(hot('a---', ops).pipe(withoutErrors(silent, () => () => event$)(ask)), '--!').toBe(
        '---',
        events,
      );
      expectSubscriptions(event$.subscriptions).toBe('^-!');
    }),
  );

  it('gives a reason that explains itself as it is, and logs a bug once with its stack', () => {
    const log = jest.fn();
    const seen: Event[] = [];
    of(ops.b, ops.c)
      .pipe(
        withoutErrors(
          log,
          engineWith(() => fails$(new CannotBegin('There is no model'))),
        )(ask),
      )
      .subscribe((event) => seen.push(event));
    expect(seen).toEqual([rejected('b', 'There is no model'), rejected('c', 'There is no model')]);
    expect(log).not.toHaveBeenCalled();
    of(ops.b, ops.c)
      .pipe(withoutErrors(log, engineWith(fails$))(ask))
      .subscribe();
    expect(log.mock.calls).toEqual([
      [
        'error',
        'a call could not begin because of a bug',
        { callId: 'b', stack: expect.stringMatching(/^Error: a bug\n/) },
      ],
    ]);
  });
});

describe('logEvents', () => {
  it(
    'passes every event and logs those that matter under their call',
    marbles(({ hot, expectObservable, flush }) => {
      const log = jest.fn();
      const values = { s: says(started), d: says(delta('text')), z: says(complete('text')) };
      const event$ = hot('  s-d-z-|', values);
      const expected = '    s-d-z-|';
      expectObservable(event$.pipe(logEvents(log))).toBe(expected, values);
      flush();
      expect(log.mock.calls).toEqual([
        ['info', 'a turn started', { callId: 'c', threadId: THREAD }],
        ['info', 'a turn ended', { callId: 'c', threadId: THREAD, as: 'task_complete' }],
      ]);
    }),
  );
});

describe('toRecord', () => {
  const end = {
    stdout: 'out',
    stderr: '',
    aggregated_output: '',
    duration: { secs: 0, nanos: 0 },
    formatted_output: '',
  };

  it.each<[Event, unknown]>([
    [
      { kind: 'rejected', callId: 'c', message: 'why' },
      { level: 'warning', message: 'a call was rejected', fields: { reason: 'why' } },
    ],
    [
      { kind: 'declined', callId: 'c', what: '`rm`', reason: 'late' },
      { level: 'notice', message: 'not done', fields: { what: '`rm`', reason: 'late' } },
    ],
    [says(request), { level: 'info', message: 'approval requested', fields: { command: "touch 'a b'", cwd: '/work' } }],
    [
      says({ type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '/', parsed_cmd: [] }),
      { level: 'info', message: 'a command started', fields: { command: 'ls', cwd: '/' } },
    ],
    [
      says({ type: 'exec_command_end', call_id: 'c', exit_code: 2, ...end }),
      { level: 'info', message: 'a command ended', fields: { exitCode: 2 } },
    ],
    [
      says({ type: 'stream_error', message: 'cut' }),
      { level: 'warning', message: 'the connection to the model was lost', fields: { reason: 'cut' } },
    ],
    [
      says({ type: 'warning', message: 'no tools' }),
      {
        level: 'warning',
        message: 'a turn goes on with a warning',
        fields: { threadId: THREAD, reason: 'no tools' },
      },
    ],
    [
      says({ type: 'error', message: 'down' }),
      { level: 'error', message: 'a turn failed', fields: { threadId: THREAD, reason: 'down' } },
    ],
    [says(aborted), { level: 'info', message: 'a turn ended', fields: { threadId: THREAD, as: 'turn_aborted' } }],
    [says({ type: 'agent_message', message: 'text' }), undefined],
  ])('logs of %j what happened and no text of the conversation', (event, record) => {
    expect(toRecord(event)).toEqual(record);
  });
});
