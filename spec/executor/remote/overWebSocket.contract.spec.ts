/** The contract of backends, kept through our own exec-server as built, over a WebSocket. */
import { ReplaySubject } from 'rxjs';
import { overWebSocket } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { dialSocket } from '../../../src/io/sockets/dialSocket';
import { silentLog } from '../../../src/protocol/log';
import { backendContract } from '../../contract/backend';
import { endExecServers, listenExecServer } from '../../support/exec/execSocket';

describe('remoteBackend over a WebSocket', () => {
  const server = { url: '' };
  const over$ = new ReplaySubject<void>(1);
  beforeAll(async () => {
    server.url = (await listenExecServer()).url;
  });
  afterAll(async () => {
    over$.next(); // nobody is left to come back
    await endExecServers();
  });
  backendContract({
    open: (backpressure) => {
      const transport = overWebSocket({
        url: server.url,
        dial: (text$) => text$.pipe(dialSocket({ url: server.url, backpressure })),
      });
      return remoteBackend({
        transport,
        clientName: 'spec',
        log: silentLog,
        clockMs: () => performance.now(),
        over$,
        reconnectForMs: 5000,
      });
    },
  });
});
