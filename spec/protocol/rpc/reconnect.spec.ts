import type { Observable } from 'rxjs';
import { type Connectivity, reconnect } from '../../../src/protocol/rpc/reconnect';
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
    'waits longer after each attempt, and begins anew after a success',
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
