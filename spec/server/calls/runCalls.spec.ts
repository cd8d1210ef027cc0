import { map, type Observable, of, tap, throwError } from 'rxjs';
import type { Engine } from '../../../src/protocol/codex/engine';
import { toInput } from '../../../src/protocol/codex/input';
import type { TurnOp } from '../../../src/protocol/codex/operations';
import { silentLog } from '../../../src/protocol/log';
import type { Call, Calls } from '../../../src/server/calls/calls';
import { noCalls } from '../../../src/server/calls/calls';
import { reduceCalls } from '../../../src/server/calls/reduceCalls';
import { type ConnectionReducer, runCalls } from '../../../src/server/calls/runCalls';
import type { CallInput, CallOutput } from '../../../src/server/calls/step';
import { marbles } from '../../support/marbles';
import { engine } from '../../support/mcp';

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
