import { timer } from 'rxjs';
import type { Outgoing } from '../../../../src/protocol/jsonrpc/messages';
import { pingWhileSilent } from '../../../../src/server/mcp/progress/pingWhileSilent';
import { marbles } from '../../../support/marbles';
import { legacy, modern, outputsOf } from '../../../support/mcpCalls';

const first = outputsOf(legacy);
const second = outputsOf({ ...legacy, id: 2 }, 'second');
const stateless = outputsOf({ ...modern, id: 3 });
const outputs = { b: first.begun, z: first.finished, B: second.begun, X: second.cancelled, r: stateless.resumed };

const m: Outgoing = { kind: 'notification', method: 'codex/event', params: {} };
const ping = (number: number) => ({
  kind: 'request',
  id: `codex-rx-ping-${number}`,
  method: 'ping',
  params: {},
});
const pings = { P: ping(1), Q: ping(2), R: ping(3) };

describe('pingWhileSilent', () => {
  it.each<[string, string, string, string]>([
    ['pings every 10 s while a call waits and nothing is sent', 'b     25s  z 30s -', '40s -', '10s P 9999ms Q'],
    ['waits 10 s behind a message, at least', '            b     29s  -', '      3s m', '20s P 9999ms Q'],
    ['pings once for two calls, until none waits', ' bB 12s X 12s  z 30s -', '40s -', '10s P 9999ms Q'],
    ['starts again with a later call', '             b 12s z 12s b 11s -', '40s -', '10s P 24001ms Q'],
    ['shares the clock of a call that ended just before', 'b 2s z 1999ms b 30s -', '40s -', '20s P 9999ms Q'],
    ['pings nobody while no call waits', '           40s -', '                40s -', '-'],
    ['pings no client of a revision without ping', ' r 40s -', '              40s -', '-'],
  ])('%s', (_, output, message, expected) =>
    marbles(({ hot, expectObservable }) => {
      const message$ = hot<Outgoing>(message, { m });
      expectObservable(message$.pipe(pingWhileSilent({ after: timer }, hot(output, outputs))), '39s !').toBe(
        expected,
        pings,
      );
    })(),
  );

  it(
    'completes with the messages, whatever waits',
    marbles(({ hot, cold, expectObservable }) => {
      const message$ = hot<Outgoing>('--|');
      expectObservable(message$.pipe(pingWhileSilent({ after: timer }, cold('b-', outputs)))).toBe('--|');
    }),
  );
});
