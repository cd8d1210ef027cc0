import type { Observable } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import {
  type AcrossDeps,
  backoff,
  type Connectivity,
  type Loss,
  reconnect,
  requestAcross,
} from '../../../src/protocol/rpc/reconnect';
import { marbles } from '../../support/marbles';
import { clockMs, jumpTimeOfDay, TIMES_OF_DAY } from '../../support/timeOfDay';

const states: Record<string, Connectivity<string>> = {
  A: { kind: 'connected', connection: 'a' },
  B: { kind: 'connected', connection: 'b' },
  D: { kind: 'disconnected' },
};

/** Connections one after the other; `previous` has what each was given. */
const series = (...connections: Observable<string>[]) => {
  const previous: (string | undefined)[] = [];
  const left = [...connections];
  const open = (before: string | undefined) => {
    previous.push(before);
    return left.shift() as Observable<string>;
  };
  return { open, previous };
};

const depsOf = (open: (before: string | undefined) => Observable<string>, reconnectForMs = 25_000) => ({
  open,
  isFinal: (error: unknown) => (error as Error).message === 'unknown session',
  name: 'the peer',
  reconnectForMs,
  clockMs,
});

afterEach(() => jest.restoreAllMocks());

describe.each(TIMES_OF_DAY)('reconnect, while the time of day %s', (_, byMs) => {
  beforeEach(() => jumpTimeOfDay(byMs));

  it(
    'opens another connection when one is lost, given the one before',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const first = cold('   -a--#');
      const second = cold('  --b--');
      const expected = '     -A--D 101ms B';
      const { open, previous } = series(first, second);
      expectObservable(reconnect(depsOf(open)), '200ms !').toBe(expected, states);
      expectSubscriptions(second.subscriptions).toBe('104ms ^ 95ms !');
      flush();
      expect(previous).toEqual([undefined, 'a']);
    }),
  );

  it(
    'waits longer after each attempt, and begins again after a success',
    marbles(({ cold, expectObservable }) => {
      const lost = () => cold<string>('#');
      const { open } = series(cold('a#'), lost(), lost(), cold('-b#'), cold('a'));
      const expected = 'AD 99ms D 199ms D 400ms BD 99ms A';
      expectObservable(reconnect(depsOf(open))).toBe(expected, states);
    }),
  );

  it.each<[string, string, number, string, Error]>([
    ['the first connection cannot be made', '--#', 25_000, '--(D#)', new Error('lost')],
    ['there is nothing to come back to', 'a-#', 0, 'A-(D#)', new Error('lost')],
    [
      'no attempt succeeds in time',
      'a-#',
      500,
      'A-D 99ms D 199ms (D#)',
      new Error('the peer could not be reached again within 0.5 s: lost'),
    ],
  ])('errors when %s', (_, source, reconnectForMs, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      const lost = () => cold<string>('#', {}, new Error('lost'));
      const { open } = series(cold(source, undefined, new Error('lost')), lost(), lost(), lost());
      expectObservable(reconnect(depsOf(open, reconnectForMs))).toBe(expected, states, error);
    })(),
  );

  it(
    'errors within 10 s when the peer is absent, later where it only cannot be reached',
    marbles(({ cold, expectObservable }) => {
      const absent = () => cold<string>('#', {}, new Error('absent'));
      const { open } = series(cold('a-#'), ...Array.from({ length: 9 }, absent));
      const isAbsent = (error: unknown) => (error as Error).message === 'absent';
      const lost = new Error('the peer could not be reached again within 10 s: absent');
      const expected = 'A-D 99ms D 199ms D 399ms D 799ms D 1599ms D 1999ms D 1999ms D 1999ms (D#)';
      expectObservable(reconnect({ ...depsOf(open), isAbsent })).toBe(expected, states, lost);
      const longer = series(cold('a-#'), ...Array.from({ length: 9 }, absent));
      expectObservable(reconnect(depsOf(longer.open)), '9105ms !').toBe(expected.replace('(D#)', 'D'), states);
    }),
  );

  it(
    'errors at once when an attempt fails for good',
    marbles(({ cold, expectObservable }) => {
      const { open } = series(cold('a-#'), cold('-#', {}, new Error('unknown session')));
      const error = new Error('the session is lost: unknown session');
      expectObservable(reconnect(depsOf(open))).toBe('A-D 100ms (D#)', states, error);
    }),
  );
});

type Connection = { send$: Observable<string> };

describe('requestAcross', () => {
  /** The first connection has `first`, the next `second`; `mayRepeat` is given. */
  const specify = (
    state: string,
    [first, second]: [string, string?],
    expected: string,
    { mayRepeat = true, error }: { mayRepeat?: boolean; error?: Error } = {},
  ) =>
    marbles(({ hot, cold, expectObservable }) => {
      const loss = error instanceof RpcError ? error : new Error('lost');
      const connected = (send: string): Connectivity<Connection> => ({
        kind: 'connected',
        connection: { send$: cold(send, {}, loss) },
      });
      const states = { C: connected(first), N: connected(second ?? '-'), D: { kind: 'disconnected' as const } };
      const deps: AcrossDeps<Connection, string> = {
        send: ({ send$ }) => send$,
        mayRepeat: () => mayRepeat,
        ambiguous: () => new Error('ambiguous'),
      };
      expectObservable(requestAcross(hot(state, states, new Error('over')), deps)).toBe(expected, {}, error);
    })();

  it('emits the first response of the connection there is', () => specify('C-----', ['--R-R'], '--(R|)'));
  it('waits for a connection', () => specify('D--C--', ['--R'], '-----(R|)'));
  it('repeats on the next connection what was lost, where it may', () =>
    specify('C--D--N--', ['---#', '-R'], '-------(R|)'));
  it('fails on the next connection what must not be repeated', () =>
    specify('C--D--N--', ['---#', '-R'], '------#', { mayRepeat: false, error: new Error('ambiguous') }));
  it('sends for the first time, whether or not it may be repeated', () =>
    specify('D--C--', ['-R'], '----(R|)', { mayRepeat: false }));
  it('errors with the error of the peer', () => specify('C----', ['--#'], '--#', { error: new RpcError(-1, 'no') }));
  it('errors when no connection will come any more', () =>
    specify('C--D--#', ['---#'], '------#', { error: new Error('over') }));
  it('leaves a connection that another replaces', () => specify('C--N--', ['-----R', '--R'], '-----(R|)'));

  it(
    'forgets the request when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const send$ = cold('---R');
      const state$ = hot<Connectivity<Connection>>('C', { C: { kind: 'connected', connection: { send$ } } });
      const deps = { send: (c: Connection) => c.send$, mayRepeat: () => true, ambiguous: () => new Error() };
      expectObservable(requestAcross(state$, deps), '--!').toBe('--');
      expectSubscriptions(send$.subscriptions).toBe('^-!');
    }),
  );
});

describe('backoff', () => {
  it('doubles the wait from 100 ms to 2 s, and counts the time since the loss', () => {
    const waits: unknown[] = [];
    let loss: Loss | undefined;
    let nowMs = 5_000;
    for (let i = 0; i < 7; i += 1) {
      const next = backoff(loss, nowMs);
      waits.push([next.waitMs, next.elapsedMs]);
      loss = next.loss;
      nowMs += next.waitMs + 10; // an attempt takes 10 ms
    }
    expect(waits).toEqual([
      [100, 100],
      [200, 310],
      [400, 720],
      [800, 1_530],
      [1_600, 3_140],
      [2_000, 5_150],
      [2_000, 7_160],
    ]);
    expect(loss).toEqual({ atMs: 5_000, attempts: 7 });
  });

  it('leaves the loss it was given as it is', () => {
    const loss = Object.freeze({ atMs: 0, attempts: 1 });
    expect(backoff(loss, 50)).toEqual({ loss: { atMs: 0, attempts: 2 }, waitMs: 200, elapsedMs: 250 });
  });
});
