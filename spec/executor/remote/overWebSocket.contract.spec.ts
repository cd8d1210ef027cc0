/** The contract of backends, kept through our own exec-server as built, over a WebSocket. */
import { overWebSocket, remoteBackend } from '../../../src/executor';
import { silentLog } from '../../../src/log';
import { dialSocket } from '../../../src/transport';
import { backendContract } from '../../contract/backend';
import { endExecServers, listenExecServer } from '../../support/execSocket';

describe('remoteBackend over a WebSocket', () => {
  const server = { url: '' };
  beforeAll(async () => {
    server.url = (await listenExecServer()).url;
  });
  afterAll(endExecServers);
  backendContract({
    open: (pressure) => {
      const connection = overWebSocket({ dial: (text$) => text$.pipe(dialSocket({ url: server.url, pressure })) });
      return remoteBackend({ connection, clientName: 'spec', log: silentLog, idleMs: 500, reconnectForMs: 5000 });
    },
  });
});
