import { silentLog } from '../../../src/protocol/log';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { Command } from '../../../src/server/mcp/command';
import { serveLater } from '../../../src/server/mcp/mcpServer';
import { marbles } from '../../support/marbles';

const face = faceOf('union', '0.1.0');
const later = (id: number | string): Command => ({
  kind: 'later',
  request: { kind: 'request', id, method: 'subscriptions/listen', params: {} },
});
const commands: Record<string, Command> = {
  l: later(5),
  k: later('5'),
  x: { kind: 'cancel', requestId: 5 },
  z: { kind: 'end', cause: 'over' },
};

const KEY = 'io.modelcontextprotocol/subscriptionId';
const acknowledged = (id: unknown) => ({
  kind: 'notification',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications: {}, _meta: { [KEY]: id } },
});
const closed = (id: unknown) => ({
  kind: 'response',
  id,
  result: {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo, [KEY]: id },
  },
});
const messages = { L: acknowledged(5), K: acknowledged('5'), A: closed(5), B: closed('5') };

describe('serveLater', () => {
  it(
    'runs each request until its method is done: a subscription is acknowledged, and answered at the end',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' -l--k---(z|)', commands);
      const expected = '     -L--K---(AB|)';
      expectObservable(command$.pipe(serveLater({ face, log: silentLog }))).toBe(expected, messages);
    }),
  );

  it(
    'ends one in silence by a cancel, and no other',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' -l--k-x-(z|)', commands);
      const expected = '     -L--K---(B|)';
      expectObservable(command$.pipe(serveLater({ face, log: silentLog }))).toBe(expected, messages);
    }),
  );

  it(
    'answers both of two with one id',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' l-l-(z|)', commands);
      const expected = '     L-L-(AA|)';
      expectObservable(command$.pipe(serveLater({ face, log: silentLog }))).toBe(expected, messages);
    }),
  );

  it(
    'errors and unsubscribes with its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('l-#', commands).pipe(serveLater({ face, log: silentLog }))).toBe('L-#', messages);
      const command$ = hot('--', commands);
      expectObservable(command$.pipe(serveLater({ face, log: silentLog })), '^!').toBe('--');
      expectSubscriptions(command$.subscriptions).toBe('^!');
    }),
  );
});
