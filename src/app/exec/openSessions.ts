/** Owns wiring what sessions of the exec-server stand on: processes, files and HTTP of this machine. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { basename } from 'node:path';
import type { Observable } from 'rxjs';
import {
  execMethods,
  execSessions,
  localBackend,
  PROCESS_LIMITS,
  RETENTION,
  retention,
  type Sessions,
  shareSeats,
} from '../../executor';
import type { Log } from '../../log';
import { httpFetch, watchGroups } from '../../transport';
import { localFiles } from './files';
import { findTerminals } from './findTerminals';

/**
 * The process as every session sees it. `stop$` emits when the server ends, and again to who comes later; `load` gives a
 * package that may be installed beside us, or throws.
 */
export type SessionsSurroundings = {
  stop$: Observable<unknown>;
  log: Log;
  env: Record<string, string | undefined>;
  load: (name: string) => unknown;
};

/** `graceMs` is how long a session waits for its client; `retainBytes` of output are kept over all sessions. */
export type SessionsOptions = { maxProcesses: number; retainBytes: number; graceMs: number; maxSessions: number };

/** No session yet; all of them share what is retained, and the processes there may be. */
export const openSessions = ({ stop$, log, env, load }: SessionsSurroundings, options: SessionsOptions): Sessions => {
  const { maxProcesses, retainBytes, graceMs, maxSessions } = options;
  const openStore = retention({ ...RETENTION, maxTotalBytes: retainBytes });
  const seated = shareSeats(maxProcesses);
  const watch = watchGroups({ spawn });
  const terminals = findTerminals({ load, log });
  const shell = env.SHELL || '/bin/sh';
  return execSessions({
    methodsOf: (pressure) =>
      execMethods({
        backend: seated(localBackend({ spawn, pressure, signals: constants.signals, watch, openStore, terminals })),
        limits: { ...PROCESS_LIMITS, maxProcesses },
        environment: env,
        files: localFiles(),
        fetch: httpFetch({ pressure }),
        shell: { name: basename(shell), path: shell },
      }),
    graceMs,
    maxSessions,
    stop$,
    newId: randomUUID,
    log,
  });
};
