import { timer } from 'rxjs';
import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import type { Message, Outgoing } from '../../../src/protocol/jsonrpc/messages';
import { agreedVersion, type Client, holdRequests, withClient } from '../../../src/server/mcp/withClient';
import { marbles } from '../../support/marbles';
import { asks, initialize, modern } from '../../support/mcp';

const nobody = { modern: false, era: { modern: false, capabilities: {} } };
const era = {
  modern: false,
  capabilities: { elicitation: {} },
  revision: '2025-06-18',
  client: { name: 'c', version: '1' },
};

describe('withClient', () => {
  it(
    'knows what initialize agreed on, from that very message on',
    marbles(({ hot, expectObservable }) => {
      const p = decodeMessage(asks(1, 'ping'));
      const i = decodeMessage(initialize(2, '2025-06-18'));
      const m = decodeMessage(modern(asks(4, 'tools/list')));
      const known = { version: '2025-06-18', modern: false, era };
      const message$ = hot(' p-i-m-|', { p, i, m });
      const expected = '     P-I-M-|';
      expectObservable(message$.pipe(withClient())).toBe(expected, {
        P: { message: p, client: nobody },
        I: { message: i, client: known },
        M: { message: m, client: { ...known, modern: true } },
      });
    }),
  );

  it(
    'refuses a second handshake, which changes nothing, and takes one after a bad one',
    marbles(({ hot, expectObservable }) => {
      const b = decodeMessage(asks(1, 'initialize', { protocolVersion: 5 }));
      const i = decodeMessage(initialize(2, '2025-06-18'));
      const j = decodeMessage(initialize(3, '2024-11-05', {}));
      const known = { version: '2025-06-18', modern: false, era };
      const message$ = hot(' b-i-j-|', { b, i, j });
      const expected = '     B-I-J-|';
      expectObservable(message$.pipe(withClient())).toBe(expected, {
        B: { message: b, client: nobody },
        I: { message: i, client: known },
        J: {
          message: { kind: 'fault', id: 3, code: -32600, message: 'initialize called more than once' },
          client: known,
        },
      });
    }),
  );

  it(
    'passes an error on',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<never>('--#').pipe(withClient())).toBe('--#');
    }),
  );
});

describe('agreedVersion', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2026-07-28', '2025-11-25'],
    ['banana', '2025-11-25'],
  ])('answers %s with %s', (asked, offered) => {
    expect(agreedVersion(asked)).toBe(offered);
  });
});

const strange = { modern: false, capabilities: {} };
const stranger: Client = { modern: false, era: strange };
const client: Client = { ...stranger, version: '2025-11-25' };

const request = (id: number, method: string) => ({ kind: 'request', id, method, params: {} }) as const;
const notice = (method: string, params = {}) => ({ kind: 'notification', method, params }) as const;
const from = (message: Message, known = client) => ({ message, client: known });

const INITIALIZED = notice('notifications/initialized');

const incoming = {
  i: from(request(1, 'initialize')),
  n: from(INITIALIZED),
  b: from({ kind: 'batch', messages: [INITIALIZED] }),
  o: from(INITIALIZED, stranger),
  c: from(request(2, 'tools/call')),
  u: from(request(2, 'tools/call'), stranger),
};

const outgoing: Record<string, Outgoing> = {
  q: request(0, 'elicitation/create'),
  s: request(1, 'sampling/createMessage'),
  p: request(2, 'ping'),
  e: notice('codex/event'),
  w: notice('notifications/cancelled', { requestId: 0 }),
  r: { kind: 'response', id: 1, json: '{}' },
};

describe('holdRequests', () => {
  it.each([
    ['nothing', '           i--n', '------|   ', '------|    '],
    ['requests, in their order', ' i-----n', '-rqs------q-|', '-r----(qs)q-|'],
    ['no ping, no event, no response', 'i-----n', '-rpe----|', '-rpe----|'],
    ['nothing for a batch with the notification', 'i-b', '---q-|', '---q-|'],
    ['nothing if there was no initialize', 'u-o-c', '-q-s-|', '-q-s-|'],
    ['what comes before a notification without initialize', 'o-i---n', '---q----|', '------q-|'],
    ['what is never sent, if the source ends', 'i------', '-rq-|', '-r--|'],
    ['no request that is withdrawn, and no withdrawal of it', 'i-----n', '-qsw---|', '------s|'],
  ])('holds %s', (_, client, source, expected) => {
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot(client, incoming);
      expectObservable(hot(source, outgoing).pipe(holdRequests({ incoming$, after: timer }))).toBe(expected, outgoing);
    })();
  });

  it(
    'waits five seconds once for a client that never sends the notification',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot('i', incoming);
      const message$ = hot(' -rq-s  5003ms  q-|', outgoing);
      const expected = '     -r 5000ms (qs)--q-|';
      expectObservable(message$.pipe(holdRequests({ incoming$, after: timer }))).toBe(expected, outgoing);
    }),
  );

  it(
    'sends a withdrawal of what was sent',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot('i-n----', incoming);
      const message$ = hot(' ---q-w|', outgoing);
      expectObservable(message$.pipe(holdRequests({ incoming$, after: timer }))).toBe('---q-w|', outgoing);
    }),
  );

  it(
    'fails with the source, and stops with its subscriber',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const incoming$ = hot('i------', incoming);
      expectObservable(hot('-q-#', outgoing).pipe(holdRequests({ incoming$, after: timer }))).toBe('---#');
      const message$ = hot('-q-----', outgoing);
      expectObservable(message$.pipe(holdRequests({ incoming$, after: timer })), '^---!').toBe('-----');
      expectSubscriptions(message$.subscriptions).toBe('^---!');
      expectSubscriptions(incoming$.subscriptions).toBe(['^--!', '^---!']);
    }),
  );
});
