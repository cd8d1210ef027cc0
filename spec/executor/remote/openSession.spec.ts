import { asyncScheduler, concatMap, type Observable, switchMap, tap, timer } from 'rxjs';
import { LAGGED } from '../../../src/executor/lag/recoverLag';
import { openSession, type Session } from '../../../src/executor/remote/openSession';
import { TransportError } from '../../../src/executor/transportError';
import type { ExecMessage, ExecOutgoing } from '../../../src/protocol/exec/codec';
import { counter } from '../../../src/streams/counter';
import { marbles } from '../../support/marbles';
import { transportOf } from '../../support/transport';

const response = (id: number, result: unknown): ExecMessage => ({ kind: 'response', id, result });
/** i opens the session, r and k resume it, n is a notification, a answers the first request. */
const messages: Record<string, ExecMessage> = {
  i: response(1, { sessionId: 's' }),
  n: { kind: 'notification', method: 'output', params: {} },
  a: response(2, 'A'),
  r: response(3, { sessionId: 's' }),
  k: response(4, { status: 'unknownProcess' }),
};
const S = { S: expect.objectContaining({ request: expect.any(Function) }) };

/** A session over these connections, one after the other; `sent` grows with what is sent on any. */
const sessionOver = (reconnectForMs: number, ...connections: Observable<ExecMessage>[]) => {
  const sent: ExecOutgoing[] = [];
  const left = [...connections];
  const transport = (out$: Observable<ExecOutgoing>) => {
    const next = transportOf<ExecMessage, ExecOutgoing>(left.shift() as Observable<ExecMessage>);
    return next.transport(out$.pipe(tap((message) => sent.push(message))));
  };
  const deps = {
    transport,
    clientName: 'c',
    newId: counter(),
    log: () => {},
    reconnectForMs,
    clockMs: () => asyncScheduler.now(),
  };
  return { sent, session$: openSession(deps) };
};
const ask = (onLoss: 'repeat' | 'fail') => concatMap((session: Session) => session.request('m', {}, onLoss));

describe('openSession', () => {
  it(
    'emits the session once, and errors when it is lost',
    marbles(({ cold, expectObservable }) => {
      const { session$ } = sessionOver(0, cold('-i-n-#', messages, new Error('lost')));
      expectObservable(session$).toBe('-S---#', S, new Error('lost'));
    }),
  );

  it(
    'has the notifications of all its connections, and lagged between them',
    marbles(({ cold, expectObservable }) => {
      const first = cold(' -i-n-#', messages);
      const second = cold('rnkn', {
        ...messages,
        r: response(2, { sessionId: 's' }),
        k: response(3, { status: 'unknownProcess' }),
      });
      const expected = '   ---n- 102ms Ln';
      const { session$ } = sessionOver(1_000, first, second);
      const note$ = session$.pipe(switchMap(({ notification$ }) => notification$));
      expectObservable(note$, '120ms !').toBe(expected, { n: messages.n, L: LAGGED });
    }),
  );

  it(
    'repeats on the next connection a request that may be repeated',
    marbles(({ cold, expectObservable }) => {
      const first = cold(' -i-#', messages);
      const second = cold('rk-a', { ...messages, a: response(5, 'A') });
      const { session$ } = sessionOver(1_000, first, second);
      expectObservable(session$.pipe(ask('repeat')), '120ms !').toBe('106ms A', { A: 'A' });
    }),
  );

  it(
    'fails a request that must not be repeated',
    marbles(({ cold, expectObservable }) => {
      const { session$ } = sessionOver(1_000, cold('-i-#', messages), cold('rk', messages));
      const why = 'the connection to the exec-server was lost before it answered m: whether it was done is not known';
      expectObservable(session$.pipe(ask('fail'))).toBe('104ms #', {}, new TransportError('ambiguous', why));
    }),
  );

  it(
    'runs a request in the background, whatever its result',
    marbles(({ cold, expectObservable, flush }) => {
      const refused: ExecMessage = { kind: 'response', id: 2, error: { code: -1, message: 'no' } };
      const { session$, sent } = sessionOver(0, cold('-i-e-', { ...messages, e: refused }));
      const inBackground$ = session$.pipe(
        tap((session) => session.runInBackground(session.request('m', { a: 1 }, 'repeat'))),
      );
      expectObservable(inBackground$, '9ms !').toBe('-S', S);
      flush();
      expect(sent[2]).toEqual({ kind: 'request', id: 2, method: 'm', params: { a: 1 } });
    }),
  );

  it(
    'errors a request that comes after the loss of the session',
    marbles(({ cold, expectObservable }) => {
      const { session$ } = sessionOver(0, cold('-i-#', messages, new Error('lost')));
      const sessions: Session[] = [];
      session$.subscribe({ next: (session) => sessions.push(session), error: () => {} });
      const late$ = timer(9).pipe(switchMap(() => (sessions[0] as Session).request('m', {}, 'repeat')));
      expectObservable(late$).toBe('---------#', {}, new Error('lost'));
    }),
  );
});
