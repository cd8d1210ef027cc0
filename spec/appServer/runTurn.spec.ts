import { NEVER, type Observable, of, throwError } from 'rxjs';
import type { Link } from '../../src/appServer';
import { NotBegun } from '../../src/appServer';
import { runTurn, type TurnDeps } from '../../src/appServer/runTurn';
import type { Thread, Turn } from '../../src/appServer/threads';
import type { Event, EventMsg } from '../../src/protocol/codex';
import { type JsonObject, RpcError } from '../../src/protocol/jsonrpc';
import { marbles } from '../support/marbles';
import { linkDouble, THREAD, word } from './link';
import { personSaying, turn } from './support';

const tell = (msg: EventMsg, more: Partial<Extract<Event, { kind: 'event' }>> = {}): Event => ({
  kind: 'event',
  callId: 'a',
  threadId: THREAD,
  turnId: 'u',
  id: 'a',
  msg,
  ...more,
});
const refused = (message: string): Event => ({ kind: 'rejected', callId: 'a', message });
const early = { threadId: '', turnId: '' };
const events = {
  G: tell(expect.objectContaining({ type: 'session_configured' }) as unknown as EventMsg, { turnId: '', id: '' }),
  S: tell({ type: 'task_started', model_context_window: null }),
  C: tell({ type: 'task_complete', last_agent_message: null }),
  A: tell({ type: 'turn_aborted', reason: 'interrupted' }),
  X: tell({ type: 'turn_aborted', reason: 'interrupted' }, early),
  L: tell({ type: 'error', message: 'The turn took longer than 0.01 s and was stopped.' }, early),
  D: refused('exit code 2'),
  N: refused('no codex'),
  P: refused('bad model'),
};
const words = {
  s: word('turn/started', { turn: { id: 'u' } }),
  z: word('turn/completed', { turn: { id: 'u', status: 'completed' } }),
};

type Answers = Record<string, () => Observable<JsonObject>>;
const answers: Answers = {
  'thread/start': () => of({ thread: { id: THREAD } }),
  'turn/start': () => of({ turn: { id: 'u' } }),
  'turn/interrupt': () => of({}),
};

const depsOf = (link$: Observable<Link>, more: Partial<TurnDeps> = {}) => {
  const logged: string[] = [];
  const kept: Thread[] = [];
  const dropped: Thread[] = [];
  const deps: TurnDeps = {
    link$,
    ask: personSaying({ decision: 'approved' }),
    paramsOf: () => ({}),
    readRollout: () => undefined,
    modelWaitMs: 5_000,
    turnTimeoutMs: 3_600_000,
    keep: (thread) => kept.push({ ...thread }),
    drop: (thread) => dropped.push({ ...thread }),
    log: (_, message) => logged.push(message),
    ...more,
  };
  return { deps, logged, kept, dropped };
};
const call = (): Turn => ({ op: turn('a', 'go') as Turn['op'], thread: { settings: {} } });

describe('runTurn', () => {
  it(
    'begins its thread as soon as there is a server, and tells its turn',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const word$ = hot('   -----s--z', words);
      const link$ = cold('  ---L', { L: linkDouble(word$, answers).link });
      const expected = '    ---G-S--(C|)';
      const { deps, kept, dropped } = depsOf(link$);
      expectObservable(runTurn(deps)(call(), NEVER)).toBe(expected, events);
      expectSubscriptions(link$.subscriptions).toBe('^--!');
      flush();
      expect(kept).toMatchObject([{ id: THREAD }]);
      expect(dropped).toEqual([]);
    }),
  );

  it.each<[string, Error, string, string[]]>([
    ['the server dies at once, which is logged', new Error('exit code 2'), '--(D|)', ['a call could not begin']],
    ['there is none', new NotBegun('no codex'), '--(N|)', []],
    ['it refuses', new RpcError(-32600, 'bad model'), '--(P|)', []],
  ])('is refused where %s', (_, error, expected, told) =>
    marbles(({ cold, expectObservable, flush }) => {
      const { deps, logged, dropped } = depsOf(cold<Link>('--#', {}, error));
      expectObservable(runTurn(deps)(call(), NEVER)).toBe(expected, events);
      flush();
      expect(logged).toEqual(told);
      expect(dropped).toEqual([{ settings: {} }]);
    })(),
  );

  it(
    'ends at once when it is taken back before it began',
    marbles(({ hot, expectObservable }) => {
      const { deps } = depsOf(NEVER);
      expectObservable(runTurn(deps)(call(), hot('---x'))).toBe('---(X|)', events);
    }),
  );

  it(
    'ends when its time is over before it began',
    marbles(({ expectObservable }) => {
      const { deps } = depsOf(NEVER, { turnTimeoutMs: 10 });
      expectObservable(runTurn(deps)(call(), NEVER)).toBe('10ms (LX|)', events);
    }),
  );

  it(
    'is stopped by the server when it is taken back later',
    marbles(({ hot, expectObservable }) => {
      const { deps } = depsOf(of(linkDouble(hot('--s', words), answers).link));
      expectObservable(runTurn(deps)(call(), hot('---x'))).toBe('G-S 3s (A|)', events);
    }),
  );

  it(
    'may take as long as it likes under a limit that no timer can wait for',
    marbles(({ expectObservable }) => {
      const { deps } = depsOf(NEVER, { turnTimeoutMs: Number.MAX_SAFE_INTEGER });
      expectObservable(runTurn(deps)(call(), NEVER), '1000s !').toBe('-');
    }),
  );

  it(
    'fails with a server that dies in its turn',
    marbles(({ hot, expectObservable }) => {
      const { deps } = depsOf(of(linkDouble(hot('--s-#', words, new Error('gone')), answers).link));
      const E = tell({ type: 'error', message: 'gone' });
      expectObservable(runTurn(deps)(call(), NEVER)).toBe('G-S-(EC|)', { ...events, E });
    }),
  );

  it(
    'lets go of a server that is only just starting, when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const link$ = cold<Link>('-----L');
      expectObservable(runTurn(depsOf(link$).deps)(call(), NEVER), '^--!').toBe('---');
      expectSubscriptions(link$.subscriptions).toBe('^--!');
      expectObservable(runTurn(depsOf(throwError(() => new NotBegun('no codex'))).deps)(call(), NEVER)).toBe(
        '(N|)',
        events,
      );
    }),
  );
});
