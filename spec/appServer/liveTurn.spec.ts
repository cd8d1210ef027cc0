import { NEVER, type Observable, of, throwError } from 'rxjs';
import type { Stop } from '../../src/appServer/ending';
import { liveTurn } from '../../src/appServer/liveTurn';
import type { Opened } from '../../src/appServer/openThread';
import type { Turn } from '../../src/appServer/threads';
import type { Word } from '../../src/appServer/wire';
import type { Event, EventMsg } from '../../src/protocol/codex';
import { type JsonObject, RpcError } from '../../src/protocol/jsonrpc';
import { marbles } from '../support/marbles';
import { linkDouble, THREAD, word } from './link';
import { personSaying, turn } from './support';

const op = turn('a', 'go') as Turn['op'];
const fresh: Opened = { threadId: THREAD, news: [], turn: {}, fresh: true };
const item = (method: string, more: JsonObject): Word => word(method, { turnId: 'u', item: { id: 'i', ...more } });
const ended = (status: string, more: JsonObject = {}): Word =>
  word('turn/completed', { turn: { id: 'u', status, ...more } });

const words: Record<string, Word> = {
  s: word('turn/started', { turn: { id: 'u' } }),
  m: item('item/completed', { id: 'm', type: 'agentMessage', text: 'hi' }),
  c: item('item/started', { type: 'commandExecution', source: 'user', command: 'ls', cwd: '/' }),
  d: item('item/completed', { type: 'commandExecution', aggregatedOutput: 'x', exitCode: 0 }),
  e: word('error', { turnId: 'u', error: { message: 'over' } }),
  r: word('error', { turnId: 'u', error: { message: 'no route' }, willRetry: true }),
  q: {
    kind: 'request',
    id: 0,
    method: 'item/commandExecution/requestApproval',
    params: { threadId: THREAD, turnId: 'u' },
  },
  o: word('warning', { threadId: 'other', message: 'not mine' }),
  b: word('turn/completed', { turn: { id: 'before', status: 'failed' } }),
  z: ended('completed'),
  x: ended('interrupted'),
  f: ended('failed', { error: { message: 'no model' } }),
};

const tell = (msg: EventMsg, turnId = 'u'): Event => ({
  kind: 'event',
  callId: 'a',
  threadId: THREAD,
  turnId,
  id: 'a',
  msg,
});
const end = (code: number, stdout: string): Event =>
  tell({
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
  S: tell({ type: 'task_started', model_context_window: null }),
  M: tell({ type: 'agent_message', message: 'hi' }),
  B: tell({ type: 'exec_command_begin', call_id: 'i', command: ['ls'], cwd: '/', parsed_cmd: [] }),
  D: end(0, 'x'),
  K: end(-1, ''),
  R: tell({ type: 'stream_error', message: 'no route' }),
  E: tell({ type: 'error', message: 'over' }),
  F: tell({ type: 'error', message: 'no model' }),
  G: tell({ type: 'error', message: 'exit code 9' }),
  L: tell({ type: 'error', message: expect.stringContaining('could not be reached for 5 s') as unknown as string }),
  T: tell({ type: 'error', message: 'too long' }),
  H: tell({ type: 'error', message: 'bad params' }, ''),
  C: tell({ type: 'task_complete', last_agent_message: 'hi' }),
  N: tell({ type: 'task_complete', last_agent_message: null }),
  P: tell({ type: 'task_complete', last_agent_message: null }, ''),
  A: tell({ type: 'turn_aborted', reason: 'interrupted' }),
};
const stops: Record<string, Stop> = { x: { kind: 'interrupted' }, l: { kind: 'late', message: 'too long' } };

type Answers = Record<string, () => Observable<JsonObject>>;

const live = (word$: Observable<Word>, stop$: Observable<Stop> = NEVER, answers: Answers = {}, before?: string) => {
  const double = linkDouble(word$, { 'turn/start': () => of({ turn: { id: 'u' } }), ...answers });
  const deps = {
    ask: personSaying({ decision: 'approved' }),
    paramsOf: () => ({}),
    readRollout: () => undefined,
    modelWaitMs: 5_000,
  };
  const asked: Turn = { op, thread: { id: THREAD, turnId: before } };
  return { ...double, event$: liveTurn(deps, double.link, asked, fresh, stop$) };
};

describe('liveTurn', () => {
  it.each([
    ['tells a turn from its beginning to its end', '-s-m-z', '-S-M-(C|)'],
    ['passes over what belongs to other threads and turns', '-sob-m-z', '-S---M-(C|)'],
    ['tells why it failed', '-s-f', '-S-(FN|)'],
    ['takes a final error for its end, when nothing follows', '-s-e', '-S- 2s (EN|)'],
    ['lets the server say itself how it ended', '-s-e-f', '-S---(FN|)'],
    ['ends with the server', '-s-#', '-S-(GN|)'],
    ['waits for the end of a command', '-scm-z---d', '-SBM-----D 295ms (C|)'],
    ['ends a command by force that does not end', '-scm-z', '-SBM- 300ms (KC|)'],
    ['ends a command with a turn that was interrupted', '-sc--x', '-SB--(KA|)'],
    ['gives up on a model that cannot be reached', '-sr', '-SR 7999ms (LA|)'],
    ['goes on with a model that came back', '-srmr 3s z', '-SRMR 3s (C|)'],
  ])('%s', (_, said, expected) =>
    marbles(({ hot, expectObservable }) => {
      const { event$ } = live(hot(said, words, new Error('exit code 9')));
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
  ])('%s', (_, said, stop, expected, told) =>
    marbles(({ hot, expectObservable, flush }) => {
      const double = live(hot(said, words), hot(stop, stops), { 'turn/interrupt': () => of({}) });
      expectObservable(double.event$).toBe(expected, events);
      flush();
      expect(double.asked.at(-1)).toEqual(['turn/interrupt', { threadId: THREAD, turnId: 'u' }]);
      expect(double.told[0]).toBe(told);
      expect(double.link.givenUp.has(THREAD)).toBe(expected.includes('3s'));
    })(),
  );

  it(
    'is stopped under its own id, once that is known',
    marbles(({ hot, expectObservable, flush }) => {
      const noTurn = () => throwError(() => new RpcError(-32600, 'no active turn to interrupt'));
      let tries = 0;
      const answers: Answers = {
        'turn/start': () => NEVER,
        'turn/interrupt': () => (++tries < 3 ? noTurn() : of({})),
      };
      const double = live(hot('- 150ms s 99ms x', words), hot('x', stops), answers, 'before');
      expectObservable(double.event$).toBe('- 150ms S 99ms (A|)', events);
      flush();
      expect(double.asked.slice(1).map(([, { turnId }]) => turnId)).toEqual(['before', 'before', 'u']);
    }),
  );

  it(
    'goes on as the turn before, where that has not ended and got the prompt',
    marbles(({ hot, expectObservable }) => {
      expectObservable(live(hot('--m-z', words), NEVER, {}, 'u').event$).toBe('--M-(C|)', events);
    }),
  );

  it(
    'fails where the server does not take it',
    marbles(({ hot, expectObservable }) => {
      const refused = () => throwError(() => new RpcError(-32600, 'bad params'));
      expectObservable(live(hot('--'), NEVER, { 'turn/start': refused }).event$).toBe('(HP|)', events);
    }),
  );

  it(
    'answers the questions of its thread as long as it lives, no longer',
    marbles(({ hot, flush }) => {
      const double = live(hot('-sq-z', words));
      const busy: (boolean | undefined)[][] = [];
      const look = () => busy.push([words.q, words.b].map((each) => double.link.busy.get(THREAD)?.(each as Word)));
      double.event$.subscribe({ next: look, complete: look });
      flush();
      expect(double.answered).toEqual([[0, { decision: 'accept' }]]);
      expect(busy).toEqual(Array(4).fill([true, false]));
      expect(double.link.busy.size).toBe(0);
    }),
  );

  it(
    'lets go of the server when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions, flush }) => {
      const word$ = hot('-s---', words);
      const double = live(word$);
      expectObservable(double.event$, '^--!').toBe('-S-', events);
      expectSubscriptions(word$.subscriptions).toBe('^--!');
      flush();
      expect(double.link.busy.size).toBe(0);
    }),
  );
});
