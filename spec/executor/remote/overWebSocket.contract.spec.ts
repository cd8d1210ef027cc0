/** The contract of backends, kept through our own exec-server as built, over a WebSocket. */
import { overWebSocket, remoteBackend } from '../../../src/executor';
import { silentLog } from '../../../src/log';
import { dialSocket } from '../../../src/transport';
import { backendContract } from '../../contract/backend';
import { endExecServers, listenExecServer } from '../../support/execSocket';

const IDLE_MS = 100;

describe('remoteBackend over a WebSocket', () => {
  const server = { url: '' };
  beforeAll(async () => {
    server.url = (await listenExecServer()).url;
  });
  afterAll(async () => {
    await new Promise((wake) => setTimeout(wake, 2 * IDLE_MS)); // nobody is left to come back
    endExecServers();
  });
  backendContract({
    open: (backpressure) => {
      const transport = overWebSocket({ dial: (text$) => text$.pipe(dialSocket({ url: server.url, backpressure })) });
      return remoteBackend({
        transport,
        clientName: 'spec',
        log: silentLog,
        clockMs: () => performance.now(),
        idleMs: IDLE_MS,
        reconnectForMs: 5000,
      });
    },
  });
});
