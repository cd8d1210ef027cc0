import { BehaviorSubject, concat, map, NEVER, type Observable, of } from 'rxjs';
import type { ExecSessions } from '../../../src/executor/server/execSessions';
import type { NatsDelivery, NatsLink, NatsMessage } from '../../../src/fleet/link/natsLink';
import { serveConnections } from '../../../src/fleet/served/serveConnections';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';

const CONNECTED = { kind: 'connected' as const, server: 'h' };

/** Deliveries to connections, and all that was sent; `sessions` answers `initialize` and lives as long as its connection. */
const world = () => {
  const sent: string[] = [];
  const text = (data: Uint8Array) => Buffer.from(data).toString();
  const delivery = (connection: string, kind: string, data = ''): NatsDelivery => ({
    subject: `p.exec.e.i.${connection}`,
    data: Buffer.from(data),
    headers: kind === 'last' ? {} : { 'Codex-Rx-Kind': kind },
    respond: (_, headers = {}) => void sent.push(`${connection} ${kind}: ${headers['Codex-Rx-Kind'] ?? 'known'}`),
  });
  const state$ = new BehaviorSubject<typeof CONNECTED | { kind: 'reconnecting' }>(CONNECTED);
  const link = {
    ...{ prefix: 'p', maxPayload: 1_048_576, state$ },
    publish: ({ subject, data }: NatsMessage) => void sent.push(`${subject} ${text(data)}`),
  } as unknown as NatsLink;
  const attach = () => (request$: Observable<unknown>) => concat(request$.pipe(map(() => NEVER)), NEVER) as never;
  const sessions: ExecSessions = {
    hasMethod: () => true,
    open: () => of({ id: 's1', isAttached: () => of(false), attach }),
  };
  const deps = { link, sessions, maxConnections: 2, maxMessageBytes: 1000, log: silentLog };
  return { sent, delivery, state$, deps };
};

const INITIALIZE = '{"id":1,"method":"initialize","params":{"clientName":"c"}}';
const RESPONSE = '{"id":1,"result":{"sessionId":"s1"}}';

describe('serveConnections', () => {
  it(
    'serves the messages of a connection from its begin on, in parts too, and answers whoever asks for it',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, delivery, deps } = world();
      const delivery$ = hot('-p-b-p-e-p', {
        p: delivery('c', 'ping'),
        b: delivery('c', 'begin', INITIALIZE),
        e: delivery('c', 'end'),
      });
      expectObservable(delivery$.pipe(serveConnections(deps))).toBe('-');
      flush();
      expect(sent).toEqual(['c ping: unknown', `p.client.c ${RESPONSE}`, 'c ping: known', 'c ping: unknown']);
    }),
  );

  it(
    'passes over messages of a connection that did not begin, and of one too many',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, delivery, deps } = world();
      const delivery$ = hot('-m-abc', {
        m: delivery('c', 'last', INITIALIZE),
        a: delivery('a', 'begin', INITIALIZE),
        b: delivery('b', 'begin', INITIALIZE),
        c: delivery('c', 'begin', INITIALIZE),
      });
      expectObservable(delivery$.pipe(serveConnections(deps))).toBe('-');
      flush();
      expect(sent).toEqual([`p.client.a ${RESPONSE}`, `p.client.b ${RESPONSE}`]);
    }),
  );

  it.each(['*', '>', 'a b', 'x'.repeat(65)])('opens none that is called %s', (name) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, delivery, deps } = world();
      const delivery$ = hot('-b', { b: delivery(name, 'begin', INITIALIZE) });
      expectObservable(delivery$.pipe(serveConnections(deps))).toBe('-');
      flush();
      expect(sent).toEqual([]);
    })(),
  );

  it(
    'takes a silent connection for lost',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, delivery, deps } = world();
      const [begin, ping] = [delivery('c', 'begin', INITIALIZE), delivery('c', 'ping')];
      expectObservable(hot('b 5s p 6s p 1s b-p', { b: begin, p: ping }).pipe(serveConnections(deps))).toBe('-');
      flush();
      expect(sent.filter((line) => line.startsWith('c '))).toEqual([
        'c ping: known',
        'c ping: unknown',
        'c ping: known',
      ]);
    }),
  );

  it(
    'forgets connections when its own is lost',
    marbles(({ hot, expectObservable, flush }) => {
      const { sent, delivery, state$, deps } = world();
      const delivery$ = hot('b-p-p', { b: delivery('c', 'begin', INITIALIZE), p: delivery('c', 'ping') });
      expectObservable(delivery$.pipe(serveConnections(deps))).toBe('-');
      expectObservable(hot('---r').pipe(map(() => state$.next({ kind: 'reconnecting' })))).toBe('---u', {
        u: undefined,
      });
      flush();
      expect(sent.filter((line) => line.startsWith('c '))).toEqual(['c ping: known', 'c ping: unknown']);
    }),
  );
});
