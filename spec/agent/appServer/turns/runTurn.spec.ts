import { EMPTY, merge, mergeMap, NEVER, type Observable, of, throwError } from 'rxjs';
import { ConnectionLost, type ServerMessage } from '../../../../src/agent/appServer/connection/link';
import type { OpenDeps, OpenedThread, Thread } from '../../../../src/agent/appServer/threads/openThread';
import type { TurnInput } from '../../../../src/agent/appServer/turns/reduceTurn';
import {
  type AskQuestionDeps,
  askQuestion,
  hideRawReasoning,
  runTurn,
  startTurn,
  type TurnDeps,
} from '../../../../src/agent/appServer/turns/runTurn';
import type { TurnStop } from '../../../../src/agent/turns/turnEvents';
import type { Ask, ReviewResult } from '../../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../../src/protocol/codex/events';
import type { TurnOp } from '../../../../src/protocol/codex/operations';
import type { ThreadSettings } from '../../../../src/protocol/codex/settings';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { type Request, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { linkDouble, notification, THREAD } from '../connection/link';
import { turn as call, personSaying, turn } from '../support';

const op = turn('a', 'go') as TurnOp;
const item = (method: string, more: JsonObject): ServerMessage =>
  notification(method, { turnId: 'u', item: { id: 'i', ...more } });
const ended = (status: string, more: JsonObject = {}): ServerMessage =>
  notification('turn/completed', { turn: { id: 'u', status, ...more } });

const messages: Record<string, ServerMessage> = {
  s: notification('turn/started', { turn: { id: 'u' } }),
  w: item('item/completed', { type: 'reasoning', summary: [], content: ['raw'] }),
  m: item('item/completed', { id: 'm', type: 'agentMessage', text: 'hi' }),
  c: item('item/started', { type: 'commandExecution', source: 'user', command: 'ls', cwd: '/' }),
  d: item('item/completed', { type: 'commandExecution', aggregatedOutput: 'x', exitCode: 0 }),
  e: notification('error', { turnId: 'u', error: { message: 'over' } }),
  r: notification('error', { turnId: 'u', error: { message: 'no route' }, willRetry: true }),
  q: {
    kind: 'request',
    id: 0,
    method: 'item/commandExecution/requestApproval',
    params: { threadId: THREAD, turnId: 'u' },
  },
  b: notification('turn/completed', { turn: { id: 'before', status: 'failed' } }),
  z: ended('completed'),
  x: ended('interrupted'),
  f: ended('failed', { error: { message: 'no model' } }),
};

const event = (msg: EventMsg, turnId = 'u'): Event => ({
  kind: 'event',
  callId: 'a',
  threadId: THREAD,
  turnId,
  id: 'a',
  msg,
});
const end = (code: number, stdout: string): Event =>
  event({
    type: 'exec_command_end',
    call_id: 'i',
    stdout,
    stderr: '',
    aggregated_output: stdout,
    formatted_output: stdout,
    exit_code: code,
    duration: { secs: 0, nanos: 0 },
  });

/** S started, M message, B and D a command's beginning and end, K its end by force, R retry, C complete, N without answer. */
const events = {
  S: event({ type: 'task_started', model_context_window: null }),
  M: event({ type: 'agent_message', message: 'hi' }),
  B: event({ type: 'exec_command_begin', call_id: 'i', command: ['ls'], cwd: '/', parsed_cmd: [] }),
  D: end(0, 'x'),
  K: end(-1, ''),
  R: event({ type: 'stream_error', message: 'no route' }),
  E: event({ type: 'error', message: 'over' }),
  F: event({ type: 'error', message: 'no model' }),
  G: event({ type: 'error', message: 'exit code 9' }),
  L: event({ type: 'error', message: expect.stringContaining('could not be reached for 5 s') as unknown as string }),
  T: event({ type: 'error', message: 'too long' }),
  H: event({ type: 'error', message: 'bad params' }, ''),
  C: event({ type: 'task_complete', last_agent_message: 'hi' }),
  N: event({ type: 'task_complete', last_agent_message: null }),
  P: event({ type: 'task_complete', last_agent_message: null }, ''),
  A: event({ type: 'turn_aborted', reason: 'interrupted' }),
};
const stops: Record<string, TurnStop> = { x: { kind: 'interrupted' }, l: { kind: 'expired', message: 'too long' } };

type Results = Record<string, () => Observable<JsonObject>>;
type Run = { stop$?: Observable<TurnStop>; results?: Results; previousTurnId?: string };

const run = (message$: Observable<ServerMessage>, { stop$ = NEVER, results, previousTurnId = '' }: Run = {}) => {
  const double = linkDouble(message$, { 'turn/start': () => of({ turn: { id: 'u' } }), ...results });
  const kept: string[] = [];
  const deps: TurnDeps = {
    ask: personSaying({ decision: 'approved' }),
    paramsOf: () => ({}),
    limits: () => ({ config: {} }),
    readRollout: () => undefined,
    promptHistory: () => ({ history_log_id: 0, history_entry_count: 0 }),
    modelWaitMs: 5_000,
    showsRawReasoning: () => false,
  };
  const thread: Thread = { id: THREAD, loadedBy: double.link, turnId: previousTurnId, base: {}, once: [] };
  const opened = { thread, msgs: [], turnParams: {}, isLoaded: true };
  const keep = ({ turnId }: Thread) => void kept.push(turnId);
  return { ...double, kept, event$: runTurn(deps)({ op, opened }, { stop$, input$: NEVER, keep }) };
};

describe('runTurn', () => {
  it.each([
    ['emits a turn from its start to its end', '-s-m-z', '-S-M-(C|)'],
    ['hides raw reasoning', '-sw-m-z', '-S--M-(C|)'],
    ['passes over what belongs to other turns', '-sb-m-z', '-S--M-(C|)'],
    ['emits why it failed', '-s-f', '-S-(FN|)'],
    ['takes a final error for its end, when nothing follows', '-s-e', '-S- 2s (EN|)'],
    ['lets the server confirm how it ended', '-s-e-f', '-S---(FN|)'],
    ['ends with the server', '-s-#', '-S-(GN|)'],
    ['waits for the end of a command', '-scm-z---d', '-SBM-----D 295ms (C|)'],
    ['ends a command by force that does not end', '-scm-z', '-SBM- 300ms (KC|)'],
    ['ends a command with a turn that was interrupted', '-sc--x', '-SB--(KA|)'],
    ['gives up on a model that cannot be reached', '-sr', '-SR 7999ms (LA|)'],
    ['goes on with a model that came back', '-srmr 3s z', '-SRMR 3s (C|)'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const { event$ } = run(hot(source, messages, new ConnectionLost('exit code 9')));
      expectObservable(event$).toBe(expected, events);
    })(),
  );

  it.each([
    ['ends when the server has stopped it', '-s-m---x', '-----x', '-S-M---(A|)', undefined],
    ['says that it took too long', '-s-----x', '-----l', '-S-----(TA|)', undefined],
    ['ends as stopped, even where the server says that it is complete', '-s-m---z', '-----x', '-S-M---(A|)', undefined],
    ['ends without the server after three seconds', '-s-m', '-----x', '-S-M- 3s (A|)', undefined],
    [
      'ends the command that it was stopped in',
      '-sc----x',
      '-----x',
      '-SB----(KA|)',
      'thread/backgroundTerminals/clean',
    ],
  ])('%s', (_, source, stop, expected, sent) =>
    marbles(({ hot, expectObservable, flush }) => {
      const results = { 'turn/interrupt': () => of({}) };
      const double = run(hot(source, messages), { stop$: hot(stop, stops), results });
      expectObservable(double.event$).toBe(expected, events);
      flush();
      expect(double.requests.at(-1)).toEqual(['turn/interrupt', { threadId: THREAD, turnId: 'u' }]);
      expect(double.forgotten[0]).toBe(sent);
      expect(double.givenUp).toEqual(expected.includes('3s') ? [THREAD] : []);
    })(),
  );

  it(
    'is interrupted under its own id, once that is known',
    marbles(({ hot, expectObservable, flush }) => {
      const results: Results = {
        'turn/start': () => NEVER,
        'turn/interrupt': () => throwError(() => new RpcError(-32600, 'no active turn to interrupt')),
      };
      const source$ = hot('- 149ms s 99ms x', messages);
      const { event$, requests } = run(source$, { stop$: hot('x', stops), results, previousTurnId: 'before' });
      expectObservable(event$).toBe('- 149ms S 99ms (A|)', events);
      flush();
      expect(requests.slice(1).map(([, { turnId }]) => turnId)).toEqual(['before', 'before', 'u']);
    }),
  );

  it(
    'goes on as the turn before, where that has not ended and got the prompt',
    marbles(({ hot, expectObservable, flush }) => {
      const { event$, kept } = run(hot('--m-z', messages), { previousTurnId: 'u' });
      expectObservable(event$).toBe('--M-(C|)', events);
      flush();
      expect(kept).toEqual(['u']);
    }),
  );

  it(
    'fails where the server does not take it',
    marbles(({ hot, expectObservable }) => {
      const results = { 'turn/start': () => throwError(() => new RpcError(-32600, 'bad params')) };
      expectObservable(run(hot('--'), { results }).event$).toBe('(HP|)', events);
    }),
  );

  it(
    'errors where the server is gone before it began',
    marbles(({ hot, cold, expectObservable }) => {
      const gone = new ConnectionLost('gone');
      const lost = { 'turn/start': () => throwError(() => gone) };
      const waiting = { 'turn/start': () => cold<JsonObject>('-') };
      expectObservable(run(hot('--'), { results: lost }).event$).toBe('#', {}, gone);
      expectObservable(run(hot('--#', {}, gone), { results: waiting }).event$).toBe('--#', {}, gone);
    }),
  );

  it(
    'answers the questions of its thread',
    marbles(({ hot, flush }) => {
      const { event$, responses } = run(hot('-sq-z', messages));
      event$.subscribe();
      flush();
      expect(responses).toEqual([[0, { decision: 'accept' }]]);
    }),
  );

  it(
    'unsubscribes the messages of its thread',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-s---', messages);
      expectObservable(run(source$).event$, '^--!').toBe('-S-', events);
      expectSubscriptions(source$.subscriptions).toBe('^--!');
    }),
  );
});

describe('askQuestion', () => {
  const op = turn('a', 'go') as AskQuestionDeps['op'];
  const request: Request = { kind: 'request', id: 0, method: 'item/commandExecution/requestApproval', params: {} };

  /** A person whose decision is a stream. */
  const asking =
    (review$: Observable<ReviewResult>): Ask =>
    (_, question, then) =>
      merge(of(question(7)), review$.pipe(mergeMap((review) => then({ ...review, question: 7 }))));

  /** Nobody can be asked. */
  const declining: Ask = (_, _question, then) => then({ decision: 'denied', reason: 'nobody is there' });

  const reviews: Record<string, ReviewResult> = { y: { decision: 'approved' } };
  const messages = {
    r: notification('serverRequest/resolved', { requestId: 0 }),
    o: notification('serverRequest/resolved', { requestId: 1 }),
    m: notification('warning', { requestId: 0 }),
  };
  const inputs: Record<string, TurnInput> = {
    R: request,
    A: { kind: 'asked', request, question: 7 },
    D: { kind: 'decided', request, decision: { decision: 'approved', question: 7 } },
    N: { kind: 'decided', request, decision: { decision: 'denied', reason: 'nobody is there' } },
    W: { kind: 'withdrawn', request, question: 7 },
  };

  describe('askQuestion', () => {
    it.each([
      ['emits the request, that it was asked, and the decision', '--------(y|)', '---', '(RA)----(D|)'],
      ['waits as long as nobody decides', '---', '---', '(RA)'],
      ['is withdrawn by the server', '---------y', '-----r', '(RA)-(W|)'],
      ['is not withdrawn after the decision', '-----(y|)', '------r', '(RA)-(D|)'],
      ['is not withdrawn with another, nor by another notification', '--------(y|)', '-----om', '(RA)----(D|)'],
    ])('%s', (_, review, source, expected) =>
      marbles(({ cold, hot, expectObservable }) => {
        const message$ = hot(source, messages);
        expectObservable(askQuestion({ ask: asking(cold(review, reviews)), op, message$ }, request)).toBe(
          expected,
          inputs,
        );
      })(),
    );

    it(
      'is decided at once where nobody can be asked',
      marbles(({ expectObservable }) => {
        expectObservable(askQuestion({ ask: declining, op, message$: EMPTY }, request)).toBe('(RN|)', inputs);
      }),
    );

    it(
      'forgets the question when it is unsubscribed',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const review$ = cold('-----y', reviews);
        expectObservable(askQuestion({ ask: asking(review$), op, message$: EMPTY }, request), '^--!').toBe(
          '(RA)',
          inputs,
        );
        expectSubscriptions(review$.subscriptions).toBe('^--!');
      }),
    );
  });
});

describe('hideRawReasoning', () => {
  const event = (msg: EventMsg): Event => ({ kind: 'event', callId: 'a', threadId: 't', turnId: 'u', id: 'a', msg });
  const events: Record<string, Event> = {
    m: event({ type: 'agent_message', message: 'hi' }),
    s: event({ type: 'agent_reasoning', text: 'a summary' }),
    d: event({ type: 'agent_reasoning_raw_content_delta', delta: 'a piece', item_id: 'i' }),
    r: event({ type: 'agent_reasoning_raw_content', text: 'all of it' }),
    n: { kind: 'declined', callId: 'a', what: 'ls', reason: 'no', question: 1 },
  };

  const showsRawReasoning = ({ config }: ThreadSettings): boolean => config?.show_raw_agent_reasoning === true;
  const shown: ThreadSettings = { config: { show_raw_agent_reasoning: true } };

  describe('hideRawReasoning', () => {
    it.each<[string, ThreadSettings | undefined, string, string]>([
      ['leaves raw reasoning out, its pieces too', {}, '-sddrmn|', '-s---mn|'],
      ['does so for a thread of unknown settings', undefined, '-dm|', '--m|'],
      ['shows it where the thread shows it', shown, '-sddrmn|', '-sddrmn|'],
      ['errors with its source', {}, '-d#', '--#'],
    ])('%s', (_, settings, source, expected) =>
      marbles(({ cold, expectObservable }) => {
        const event$ = cold(source, events).pipe(hideRawReasoning({ showsRawReasoning }, settings));
        expectObservable(event$).toBe(expected, events);
      })(),
    );
  });
});

describe('startTurn', () => {
  const deps: OpenDeps = {
    paramsOf: () => ({ cwd: '/w' }),
    promptHistory: () => ({ history_log_id: 0, history_entry_count: 0 }),
    limits: () => ({ config: {} }),
    readRollout: () => '{"type":"turn_context","payload":{"approval_policy":"never"}}',
  };
  const results = { r: { thread: { id: 't1', path: '/rollout' } }, u: { turn: { id: 'u1' } } };
  const no = (message: string) => () => throwError(() => new RpcError(-32600, message));
  const input = [{ type: 'text', text: 'go' }];

  const op = call('a', 'go') as TurnOp;

  const opened = (given: Record<string, () => Observable<JsonObject>>, more: Partial<OpenedThread> = {}) => {
    const double = linkDouble(of(), given);
    const thread = { id: 't1', loadedBy: double.link, turnId: '', base: {}, once: [] };
    const turn: OpenedThread = { thread, msgs: [], turnParams: { approvalPolicy: 'never' }, isLoaded: true, ...more };
    return { ...double, turnId$: startTurn(deps, turn, op) };
  };

  describe('startTurn', () => {
    it(
      'emits the id of the turn, and sends the params that the thread needs',
      marbles(({ cold, expectObservable, flush }) => {
        const { turnId$, requests } = opened({ 'turn/start': () => cold('-(u|)', results) });
        expectObservable(turnId$).toBe('-(i|)', { i: 'u1' });
        flush();
        expect(requests).toEqual([['turn/start', { threadId: 't1', input, approvalPolicy: 'never' }]]);
      }),
    );

    it(
      'loads a thread again that was unloaded, and tries once more',
      marbles(({ cold, expectObservable, flush }) => {
        let tries = 0;
        const { turnId$, requests } = opened(
          {
            'turn/start': () => (++tries === 1 ? no('thread not found')() : of(results.u)),
            'thread/resume': () => cold('-(r|)', results),
          },
          { turnParams: {}, isLoaded: false },
        );
        expectObservable(turnId$).toBe('-(i|)', { i: 'u1' });
        flush();
        expect(requests.map(([method]) => method)).toEqual(['turn/start', 'thread/resume', 'turn/start']);
        expect(requests[2]?.[1]).toEqual({ threadId: 't1', input, approvalPolicy: 'never' });
      }),
    );

    it(
      'errors where the server refuses a thread that was only just loaded',
      marbles(({ expectObservable }) => {
        const { turnId$ } = opened({ 'turn/start': no('bad params') });
        expectObservable(turnId$).toBe('#', {}, new RpcError(-32600, 'bad params'));
      }),
    );

    it(
      'emits nothing where the server does not answer',
      marbles(({ expectObservable }) => {
        expectObservable(opened({}).turnId$).toBe('-');
      }),
    );
  });
});
