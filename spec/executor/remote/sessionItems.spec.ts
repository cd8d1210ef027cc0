import { NEVER, type Observable } from 'rxjs';
import type { StoredItem } from '../../../src/executor/backend';
import { LAGGED } from '../../../src/executor/lag/recoverLag';
import type { Connection } from '../../../src/executor/remote/openConnection';
import {
  type SessionItem,
  type StoredSession,
  storedEventsOf,
  withItems,
} from '../../../src/executor/remote/sessionItems';
import type { Connectivity } from '../../../src/protocol/rpc/reconnect';
import { marbles } from '../../support/marbles';
import { closed, gap, output } from '../events';

const note = { kind: 'notification', method: 'm', params: {} } as const;
const LOST = new Error('lost');

/** A connection to this session, and what comes on it. */
const connected = (
  sessionId: string,
  { notifications$ = NEVER as Observable<unknown>, isResumed = false } = {},
): Connectivity<Connection> => {
  const connection = { peer: { notifications$ }, sessionId, isResumed, knowsWrites: true };
  return { kind: 'connected', connection: connection as unknown as Connection };
};
const disconnected: Connectivity<Connection> = { kind: 'disconnected' };
const itemOf = (processId: string, event: ReturnType<typeof output>, bytesBefore = 0): StoredItem => ({
  processId,
  placed: [{ event, bytesBefore } as StoredItem['placed'][number]],
});

describe('withItems', () => {
  it(
    'has each connection with its notifications, and that some may be missing after one that was resumed',
    marbles(({ cold, hot, expectObservable }) => {
      const [a, b] = [
        connected('s', { notifications$: cold('-n-n', { n: note }) }),
        connected('s', { notifications$: cold('-n-#', { n: note }), isResumed: true }),
      ];
      const state$ = hot('a--d--b---', { a, b, d: disconnected });
      const expected = '  an-d--(bL)';
      expectObservable(state$.pipe(withItems(undefined)), '-------!').toBe(expected, {
        a,
        b,
        d: disconnected,
        n: note,
        L: LAGGED,
      });
    }),
  );

  it(
    'reads what is stored once for all connections of a session',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const sessions: StoredSession[] = [];
      const read = (session: StoredSession) => {
        sessions.push(session);
        return cold('-i---i', { i: itemOf('p', output(1)) });
      };
      const [a, b, c] = [connected('s'), connected('s', { isResumed: true }), connected('t', { isResumed: true })];
      const state$ = hot('a-db--c-', { a, b, c, d: disconnected });
      const expected = '  aIdb-IcI---I';
      expectObservable(state$.pipe(withItems({ read, untilRead: () => NEVER }))).toBe(expected, {
        a,
        b,
        c,
        d: disconnected,
        I: { kind: 'stored', item: itemOf('p', output(1)) },
      });
      flush();
      expect(sessions).toEqual([
        { sessionId: 's', isResumed: false },
        { sessionId: 't', isResumed: true },
      ]);
    }),
  );

  it(
    'shows the loss of the session when all was read that is stored',
    marbles(({ cold, hot, expectObservable }) => {
      const a = connected('s');
      const read = () => cold('----i', { i: itemOf('p', output(1)) });
      const untilRead = () => cold('---(u|)', { u: 0 });
      const expected = '       a---I#';
      expectObservable(hot('a-#', { a }, LOST).pipe(withItems({ read, untilRead }))).toBe(
        expected,
        { a, I: { kind: 'stored', item: itemOf('p', output(1)) } },
        LOST,
      );
    }),
  );
});

describe('storedEventsOf', () => {
  it(
    'has the events of one process, each once, and gaps',
    marbles(({ hot, expectObservable }) => {
      const stored = (item: StoredItem): SessionItem => ({ kind: 'stored', item });
      const item$ = hot<SessionItem>('abacx', {
        a: stored(itemOf('p', output(1, 'xx'))),
        b: stored(itemOf('q', output(1))),
        c: stored(itemOf('p', closed(4), 5)),
        x: note,
      });
      const expected = '              a--(gc)';
      expectObservable(item$.pipe(storedEventsOf('p'))).toBe(expected, {
        a: output(1, 'xx'),
        g: gap(3, 2, 3),
        c: closed(4),
      });
    }),
  );
});
