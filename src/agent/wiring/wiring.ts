/** The dependencies of all engines, and what several engines read of this machine. */
import type { Observable } from 'rxjs';
import type { Executors } from '../../executor/backend';
import { secretsHere } from '../../io/disk/secretsHere';
import { isFolder } from '../../io/paths/look';
import type { WatchGroup } from '../../io/processes/child';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Engine } from '../../protocol/codex/engine';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { toJson } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import type { PreferredMethod } from '../../settings/auth/accounts';
import type { Config } from '../../settings/config';
import type { ConfigDeps } from '../../settings/deps';
import { ConfigError } from '../../settings/faults/configError';
import { tried } from '../../settings/faults/tried';
import { loadConfig, reuseConfig } from '../../settings/loadConfig';
import type { Backpressure } from '../../streams/backpressure';
import { lazy, oncePerTask } from '../../streams/lazy';
import type { Pausing } from '../../streams/pausing';
import type { Tape } from '../../tapes/format/tape';
import type { SeamPorts } from '../../tapes/seams/ports';
import { recordPorts } from '../../tapes/seams/record';
import type { EngineOptions } from '../engineOptions';
import { DISK, type Disk } from './disk';

/** What the process gives to all engines. */
export type Wiring = {
  processInfo: ProcessInfo;
  options: EngineOptions;
  log: Log;
  /** Of the queue to the client. */
  backpressure: Backpressure;
  /** Called with each process group that lives. */
  watch: WatchGroup;
  /** Emits when the service is over, also to later subscribers. */
  over$: Observable<unknown>;
  /** Runs a task for which the service waits at its end; absent if a command has no turns. */
  background?: (task$: Observable<never>) => void;
  newId: () => string;
  /** What is recorded, if anything. */
  tape?: Tape;
  /** Recorded or played calls to this machine; by default recorded on `tape`. */
  seams?: SeamPorts;
  /** Read instead of this machine's files. */
  disk?: Disk;
  /** Of the whole process. */
  executors: () => Executors;
};

/** What executors need of the process. */
export type ExecutorsWiring = Pick<
  Wiring,
  'processInfo' | 'options' | 'log' | 'backpressure' | 'watch' | 'over$' | 'seams' | 'tape'
>;

/** What a thread store needs of this machine. */
export type ThreadsWiring = Pick<Wiring, 'processInfo' | 'options' | 'log' | 'background'>;

/** The given seams; otherwise live ones, which record if there is a tape. */
export const seamsOf = ({ seams, tape }: Pick<Wiring, 'seams' | 'tape'>): SeamPorts => seams ?? recordPorts(tape);

/** An engine that can be used. */
export type ReadyEngine = {
  engine: Engine;
  /** Loads in advance, part by part, what a call would otherwise wait for; absent if there is nothing to load. */
  warmUp?: () => Pausing<void>;
};

/** What is read of files. */
export const diskOf = ({ disk }: Pick<Wiring, 'disk'>): Disk => disk ?? DISK;

/** The dependencies of `loadConfig` on this machine. */
export const configDeps = (
  wiring: Pick<Wiring, 'processInfo' | 'options'> & Partial<Pick<Wiring, 'disk'>>,
): ConfigDeps => {
  const { processInfo, options } = wiring;
  const { readIfThere: readFile, namesIn, exists, isDirectory, realpath } = diskOf(wiring);
  const { codexHome, cwd, env } = processInfo;
  const secretPlaces = lazy(() => secretsHere(processInfo)().map(realpath));
  return { ...options, codexHome, cwd, env, readFile, namesIn, exists, isDirectory, realpath, secretPlaces };
};

/** Why the folder that CODEX_HOME names cannot be used; undefined if it can, or if the variable is not set. Codex requires that folder too. */
export const codexHomeFault = ({ processInfo: { env, codexHome } }: Wiring): string | undefined =>
  !env.CODEX_HOME || isFolder(codexHome)
    ? undefined
    : `CODEX_HOME is ${codexHome}, which is not a folder. Create it, or unset CODEX_HOME.`;

/** Makes the configuration of a thread, once for calls that come together, and logs each warning once. Throws ConfigError. */
export const configureOf = (wiring: Wiring) => {
  const configure = reuseConfig(configDeps(wiring));
  const logged = new Set<string>();
  const configureNow = (settings: ThreadSettings): Config => {
    const fault = codexHomeFault(wiring);
    if (fault !== undefined) throw new ConfigError(fault);
    const config = configure(settings);
    if (config.unkept !== undefined) throw new ConfigError(config.unkept);
    for (const warning of config.warnings) {
      if (!logged.has(warning)) wiring.log('warning', 'a setting has no effect as it is written', { reason: warning });
      logged.add(warning);
    }
    return config;
  };
  return oncePerTask({ afterTask: queueMicrotask }, configureNow, toJson);
};

/** The same for a command that knows this machine only. Throws ConfigError also if threads work on another machine. @param what names the command */
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

/** Which of two stored credentials the configuration prefers; `chatgpt` if it cannot be used: the call that needs it reports what is wrong. */
export const preferredLogin = (wiring: Pick<Wiring, 'processInfo' | 'options'>): PreferredMethod => {
  try {
    return loadConfig(configDeps(wiring))({}).preferredAuthMethod;
  } catch {
    return 'chatgpt';
  }
};

/** Why `config.toml` or the options of the command line cannot be used; undefined if they can. */
export const startFault = (wiring: Pick<Wiring, 'processInfo' | 'options'>): string | undefined =>
  tried(() => loadConfig(configDeps(wiring))({})).faults.join('\n') || undefined;
