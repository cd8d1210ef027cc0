import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { faceOf } from '../../../../src/server/faces/faceOf';
import { listen } from '../../../../src/server/mcp/mcpServer';
import { marbles } from '../../../support/marbles';

const face = faceOf('union', '0.1.0');
const request: Request = { kind: 'request', id: 5, method: 'subscriptions/listen', params: {} };
const KEY = 'io.modelcontextprotocol/subscriptionId';
const messages = {
  A: {
    kind: 'notification',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: {}, _meta: { [KEY]: 5 } },
  },
  R: {
    kind: 'result',
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo, [KEY]: 5 } },
  },
};

describe('listen', () => {
  it.each([
    ['is acknowledged at once and answered at the end of the connection', '----z-', 'A---(R|)', '^---!'],
    ['stays open while the connection does', '------', 'A-----', '^     '],
    ['completes where the end never comes', '---|', 'A--|', '^--!'],
    ['errors with the connection', '---#', 'A--#', '^--!'],
  ])('%s', (_, end, expected, subs) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const end$ = hot(end);
      expectObservable(listen({ face, end$ })(request)).toBe(expected, messages);
      expectSubscriptions(end$.subscriptions).toBe(subs);
    })(),
  );
});
