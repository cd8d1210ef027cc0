import { BehaviorSubject, concat, map, NEVER, type Observable, of } from 'rxjs';
import type { ExecSessions } from '../../../src/executor/server/execSessions';
import type { NatsDelivery, NatsLink, NatsMessage } from '../../../src/fleet/link/natsLink';
import {
  type Admitted,
  admitDelivery,
  type Connections,
  NO_CONNECTIONS,
  serveConnections,
} from '../../../src/fleet/served/serveConnections';
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
    prefix: 'p',
    maxPayload: 1_048_576,
    state$,
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

const LIMITS = { maxConnections: 3, maxMessageBytes: 10 };

const respond = () => {};

/** What the reducer gives for deliveries, each as `CONNECTION KIND DATA`; `x CONNECTION` for one that is over. */
const run = (...lines: string[]): { state: Connections; outputs: string[] } =>
  lines.reduce(
    ({ state, outputs }, line) => {
      const [connection = '', kind = '', data = ''] = line.split(' ');
      const headers: Record<string, string> = kind === 'last' ? {} : { 'Codex-Rx-Kind': kind };
      const delivery = { subject: `p.e.${connection}`, data: Buffer.from(data), headers, respond };
      const arrival =
        connection === 'x' ? ({ kind: 'over', connection: kind } as const) : ({ kind: 'received', delivery } as const);
      const step = admitDelivery(LIMITS)(state, arrival);
      return { state: step.state, outputs: [...outputs, ...(step.output ? [shown(step.output)] : [])] };
    },
    { state: NO_CONNECTIONS, outputs: [] as string[] },
  );

const shown = ({ connection, kind, isOpen, text }: Admitted) =>
  [connection, kind, ...(isOpen ? [] : ['closed']), ...(text === undefined ? [] : [text])].join(' ');

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

describe('admitDelivery', () => {
  it('opens a connection with its begin, joins its messages, and forgets it when it is over', () => {
    const { state, outputs } = run(
      'a last 1',
      'a begin 2',
      'a more 3',
      'b ping',
      'a ping',
      'a last 4',
      'x a',
      'a last 5',
    );
    expect(outputs).toEqual([
      ...['a last closed', 'a begin 2', 'a more', 'b ping closed', 'a ping', 'a last 34', 'a last closed'],
    ]);
    expect(state.size).toBe(0);
  });

  it('opens none beyond the limit, nor under a name that is none', () => {
    expect(run('a begin 1', 'b begin 1', 'c begin 1', 'd begin 1', 'x a', '* begin 1', 'd begin 2').outputs).toEqual([
      ...['a begin 1', 'b begin 1', 'c begin 1', 'd begin closed', '* begin closed', 'd begin 2'],
    ]);
  });

  it('keeps what an open connection has sent when its begin comes again', () => {
    expect(run('a begin', 'a more 1', 'a begin 2').outputs).toEqual(['a begin ', 'a more', 'a begin 12']);
  });

  it('lets what is not whole have all of the budget', () => {
    const { outputs } = run('a begin', 'b begin', 'a more 12345', 'b more 67890', 'a last', 'b last');
    expect(outputs.slice(-2)).toEqual(['a last 12345', 'b last 67890']);
  });

  it('has one budget for all that is not whole: beyond it the connection with most of it loses that', () => {
    const { state, outputs } = run(
      ...['a begin', 'b begin', 'c begin', 'a more 1234', 'b more 12345', 'c more 67'],
      ...['b more 678', 'b last 9', 'a last 56', 'c last 8', 'b last whole'],
    );
    expect(outputs.filter((line) => / last/.test(line))).toEqual([
      'b last ',
      'a last 123456',
      'c last 678',
      'b last whole',
    ]);
    expect([...state.values()].every(({ bytes }) => bytes === 0)).toBe(true);
  });

  it('holds no more than the budget, whatever comes in parts', () => {
    const many = Array.from({ length: 200 }, (_, i) => `${'abc'[i % 3]} more ${'x'.repeat(i % 11)}`);
    many.forEach((_, count) => {
      const { state } = run('a begin', 'b begin', 'c begin', ...many.slice(0, count));
      expect([...state.values()].reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(10);
    });
  });
});
