import { NEVER, type Observable, of, throwError } from 'rxjs';
import type { ServerMessage } from '../../../../src/agent/appServer/connection/link';
import { ConnectionLost } from '../../../../src/agent/appServer/connection/link';
import type { Thread } from '../../../../src/agent/appServer/threads/openThread';
import { runTurn, type TurnDeps } from '../../../../src/agent/appServer/turns/runTurn';
import type { TurnStop } from '../../../../src/agent/turns/turnEvents';
import type { EventMsg } from '../../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../../src/protocol/codex/events';
import type { TurnOp } from '../../../../src/protocol/codex/operations';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { linkDouble, notification, THREAD } from '../connection/link';
import { personSaying, turn } from '../support';

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
