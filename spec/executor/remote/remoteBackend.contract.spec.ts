/** The contract of backends, kept through our own exec-server as built. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ReplaySubject } from 'rxjs';
import { overStdio } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { fromPeer } from '../../../src/io/processes/fromChild';
import { watchGroups } from '../../../src/io/processes/watchGroups';
import { silentLog } from '../../../src/protocol/log';
import { backendContract } from '../../contract/backend';
import { commandLine } from '../../support/daemon/peer';

describe('remoteBackend over stdio', () => {
  const watch = watchGroups({ spawn });
  const over$ = new ReplaySubject<void>(1);
  afterAll(() => over$.next());
  backendContract({
    open: (backpressure) => {
      const argv = commandLine('exec-server').flat();
      const { PATH = '', HOME = '' } = process.env; // the server needs a home, and not every user has an entry in passwd
      const env = { PATH, HOME };
      const peer = fromPeer({ spawn, backpressure, signals: constants.signals, watch }, { argv, cwd: '/', env });
      const transport = overStdio({ peer, log: silentLog, program: 'exec-server' });
      return remoteBackend({
        transport,
        clientName: 'spec',
        log: silentLog,
        clockMs: () => performance.now(),
        over$,
      });
    },
  });
});
