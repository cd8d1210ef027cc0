/** The contract of backends, kept through the exec-server of real Codex binaries. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { defer, type Observable } from 'rxjs';
import { overStdio } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { fromPeer } from '../../../src/io/processes/fromChild';
import { watchGroups } from '../../../src/io/processes/watchGroups';
import { silentLog } from '../../../src/protocol/log';
import { backendContract } from '../../contract/backend';
import type { Difference } from '../../contract/differences';
import { openHomeForCodex, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

/** What the real ones do otherwise; ours keep the whole contract. Source: codex exec-server 0.142.0 and 0.169.0. */
const DIFFERENCES: readonly Difference[] = [
  {
    what: /^fails with a reason on (a program|a name|a file|a folder|a working)/,
    because: 'the reason names neither program nor folder',
    fails: /"reason": "(No such file or directory|Permission denied|Not a directory) \(os error \d+\)"/,
  },
  {
    what: /^fails with a reason on a NUL/,
    because: 'the words are others',
    fails: /"reason": "(nul byte found in provided data|'file:\/\/\/tmp%00' is invalid on 'linux')"/,
  },
  {
    what: /^leaves nothing behind when it completes/,
    because: 'what is left in the group mostly lives on',
    fails: /^not within/,
    sometimes: true,
  },
  {
    what: /^(passes input on in order, and its end|takes megabytes|refuses input)/,
    because: 'an input cannot be closed',
    fails: /does not implement `process\/closeStdin`/,
  },
  {
    what: /^lets a writer wait/,
    because: 'input is accepted before anybody takes it, and the code after a terminate is -1 by a race',
    fails: /"accepted"|"exitCode": -1/,
  },
  {
    what: /^terminates with grace: (by the end|when it is asked)/,
    because: 'there is no grace',
    fails: /"exitCode": (-1|137)/,
  },
  {
    what: /^terminates (at once|with grace: when it ignores)/,
    because: 'the code after a terminate is -1 by a race, and the response to the second may say that it still runs',
    fails: /Received: +(-1|true)|"exitCode": -1/,
    sometimes: true,
  },
  {
    what: /^lets a read wait for output, for the exit/,
    because: 'a read that waits may wake with nothing, where processes come and go fast',
    fails: /Received: +""/,
    sometimes: true,
  },
  { what: /^asks a process to end when nobody listens/, because: 'there is no grace', fails: /ENOENT/ },
  { what: /^keeps the newest output and says/, because: 'it does not say what is gone', fails: /Received: undefined/ },
];

describe.each(['codex-0.142.0', 'codex-0.169.0'] as const)('the exec-server of %s', (release) => {
  const place = { codex: '', env: {} as Record<string, string> };
  beforeAll(() => {
    place.codex = join(installed(release), 'codex');
    place.env = openHomeForCodex().env;
  }, INSTALL_MS);
  afterAll(removeHomes);
  const watch = watchGroups({ spawn });
  backendContract({
    differences: DIFFERENCES,
    patienceMs: 10_000, // what lives on there does so for ever
    open: (backpressure) => {
      const deps = { spawn, backpressure, signals: constants.signals, watch };
      const spec = () => ({ argv: [place.codex, 'exec-server', '--listen', 'stdio'], cwd: '/', env: place.env });
      const peer = (line$: Observable<string>) => defer(() => line$.pipe(fromPeer(deps, spec())));
      const transport = overStdio({ peer, log: silentLog, program: 'exec-server' });
      return remoteBackend({
        transport,
        clientName: 'spec',
        log: silentLog,
        clockMs: () => performance.now(),
        idleMs: 500,
      });
    },
  });
});
