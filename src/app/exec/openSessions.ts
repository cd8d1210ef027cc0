/** Wires the sessions of the exec-server to the processes, files and HTTP of this machine. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, homedir, tmpdir } from 'node:os';
import { basename } from 'node:path';
import type { Observable } from 'rxjs';
import {
  type ExecSessions,
  execMethods,
  execSessions,
  limitProcesses,
  localBackend,
  PROCESS_LIMITS,
  permittedBackend,
  RETENTION,
  retention,
  type Surroundings,
} from '../../executor';
import type { Log } from '../../log';
import { noBackpressure } from '../../streams';
import { httpFetch, watchGroups } from '../../transport';
import type { ProcessInfo } from '../processInfo';
import { sandboxDeps } from '../sandbox';
import { findTerminals } from './findTerminals';
import { localFiles } from './localFiles';

/**
 * The process as every session sees it. `stop$` emits when the server ends, and again to who comes later; `load` gives a
 * package that may be installed beside us, or throws.
 */
export type SessionsSurroundings = {
  stop$: Observable<unknown>;
  log: Log;
  processInfo: ProcessInfo;
  load: (name: string) => unknown;
};

/** `graceMs` is how long a session waits for its client; `retainBytes` of output are kept over all sessions. */
export type SessionsOptions = { maxProcesses: number; retainBytes: number; graceMs: number; maxSessions: number };

/** No session yet; all of them share what is retained, and the processes there may be. */
export const openSessions = (around: SessionsSurroundings, options: SessionsOptions): ExecSessions => {
  const { stop$, log, processInfo, load } = around;
  const { maxProcesses, retainBytes, graceMs, maxSessions } = options;
  const openStore = retention({ ...RETENTION, maxTotalBytes: retainBytes });
  const limited = limitProcesses(maxProcesses);
  const watch = watchGroups({ spawn });
  const terminals = findTerminals({ load, log });
  const child = { spawn, signals: constants.signals, watch, openStore, terminals };
  const trials = localBackend({ ...child, backpressure: noBackpressure });
  const permit = permittedBackend(sandboxDeps({ processInfo, backend: trials, newId: randomUUID, log }));
  return execSessions({
    methodsOf: (backpressure) =>
      execMethods({
        backendFor: permit(limited(localBackend({ ...child, backpressure }))),
        limits: { ...PROCESS_LIMITS, maxProcesses },
        environment: processInfo.env,
        files: localFiles(),
        fetch: httpFetch({ backpressure }),
        surroundings: surroundingsOf(processInfo),
      }),
    graceMs,
    maxSessions,
    stop$,
    newId: randomUUID,
    log,
  });
};

/** The names that Codex has for operating systems. */
const PLATFORMS: Record<string, string> = { darwin: 'macos', win32: 'windows' };

const surroundingsOf = ({ env, cwd, platform, version }: ProcessInfo): Surroundings => {
  const shell = env.SHELL || '/bin/sh';
  return {
    shell: { name: basename(shell), path: shell },
    version,
    cwd,
    home: homedir(),
    tempDir: tmpdir(),
    platform: PLATFORMS[platform] ?? platform,
  };
};
