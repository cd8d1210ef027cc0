/** The dependencies of all engines, and what more than one of them reads of this machine. */

import { resolve, sep } from 'node:path';
import type { Observable } from 'rxjs';
import type { Executors } from '../../executor/executorsPort';
import { secretPaths } from '../../io/log/secretNames';
import { isFolder } from '../../io/paths/look';
import type { WatchGroup } from '../../io/processes/child';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Engine } from '../../protocol/codex/engine';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { toJson } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import type { ConfigDeps } from '../../settings/deps';
import { ConfigError } from '../../settings/faults/configError';
import { reuseConfig } from '../../settings/reuseConfig';
import type { Backpressure } from '../../streams/backpressure';
import { lazy, oncePerTask } from '../../streams/lazy';
import type { Tape } from '../../tapes/format/tape';
import { recordPorts } from '../../tapes/seams/recordPorts';
import type { SeamPorts } from '../../tapes/seams/seamPorts';
import type { EngineOptions } from '../engineOptions';
import { DISK, type Disk } from './disk';

/**
 * `disk` is what is read instead of this machine's files. `watch` is called with each process group that lives; `over$` emits when the
 * service is over, also to later subscribers. `background` runs a task for which the service waits at its end; absent
 * where a command has no turns. `executors`: those of the whole process.
 */
export type Wiring = {
  processInfo: ProcessInfo;
  options: EngineOptions;
  log: Log;
  backpressure: Backpressure;
  watch: WatchGroup;
  over$: Observable<unknown>;
  background?: (task$: Observable<never>) => void;
  newId: () => string;
  tape?: Tape;
  seams?: SeamPorts;
  disk?: Disk;
  executors: () => Executors;
};

/** What executors need of the process. */
export type ExecutorsWiring = Pick<
  Wiring,
  'processInfo' | 'options' | 'log' | 'backpressure' | 'watch' | 'over$' | 'seams' | 'tape'
>;

/** What a thread store needs of this machine. */
export type ThreadsWiring = Pick<Wiring, 'processInfo' | 'options' | 'log' | 'background'>;

/** The seams of an engine: those it is given, else recorded ones where there is a tape. */
export const seamsOf = ({ seams, tape }: Pick<Wiring, 'seams' | 'tape'>): SeamPorts => seams ?? recordPorts(tape);

/** An engine. `warmUp` loads in advance, before any call, what the first call would otherwise wait for. */
export type ReadyEngine = { engine: Engine; warmUp: () => void };

/** What is read of files. */
export const diskOf = ({ disk }: Pick<Wiring, 'disk'>): Disk => disk ?? DISK;

/** What the paths in a folder begin with, before their separator. */
const toBase = (folder: string): string => {
  const path = resolve(folder);
  return path.endsWith(sep) ? path.slice(0, -sep.length) : path;
};

/** The dependencies of `loadConfig` on this machine. */
export const configDeps = (
  wiring: Pick<Wiring, 'processInfo' | 'options'> & Partial<Pick<Wiring, 'disk'>>,
): ConfigDeps => {
  const { processInfo, options } = wiring;
  const { readIfThere: readFile, namesIn, isDirectory, realpath } = diskOf(wiring);
  const { codexHome, cwd, env, home } = processInfo;
  const secretPlaces = lazy(() => {
    const base = home === undefined ? undefined : toBase(home);
    return secretPaths({ home: base, codexHome: toBase(codexHome) }).map(realpath);
  });
  return { ...options, codexHome, cwd, env, readFile, namesIn, isDirectory, realpath, secretPlaces };
};

/** Why the folder that CODEX_HOME names cannot be used, undefined where it can, or where nobody names one. Codex requires that folder too. */
export const codexHomeFault = ({ processInfo: { env, codexHome } }: Wiring): string | undefined =>
  !env.CODEX_HOME || isFolder(codexHome)
    ? undefined
    : `CODEX_HOME is ${codexHome}, which is not a folder. Create it, or unset CODEX_HOME.`;

/** Makes the configuration of a thread, once for calls that come together, and logs each of its warnings once. Throws ConfigError. */
export const configureOf = (wiring: Wiring) => {
  const configure = reuseConfig(configDeps(wiring));
  const logged = new Set<string>();
  const configureNow = (settings: ThreadSettings): Config => {
    const fault = codexHomeFault(wiring);
    if (fault !== undefined) throw new ConfigError(fault);
    const config = configure(settings);
    for (const warning of config.warnings) {
      if (!logged.has(warning)) wiring.log('warning', 'a setting has no effect as it is written', { reason: warning });
      logged.add(warning);
    }
    return config;
  };
  return oncePerTask({ afterTask: queueMicrotask }, configureNow, toJson);
};

/** The same for what knows this machine only. Throws ConfigError also where threads work on another, naming what cannot be done there. */
export const configureHere = (wiring: Wiring, what: string) => {
  const configure = configureOf(wiring);
  return (settings: ThreadSettings): Config => {
    const config = configure(settings);
    if (config.environmentId === 'local') return config;
    throw new ConfigError(
      `threads work in the environment \`${config.environmentId}\`, and ${what} knows this machine only; set environment_id = "local" for it`,
    );
  };
};
