/** Wires the sessions of the exec-server to the processes, files and HTTP of this machine. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { concatMap, type Observable } from 'rxjs';
import { temporaryFolder } from '../../io/disk/temporaryFolders';
import { httpFetch } from '../../io/http/httpFetch';
import { holdsPassword, isSecretVariable } from '../../io/log/secretNames';
import type { SpawnTerminal } from '../../io/processes/fromTerminal';
import { spawnHere } from '../../io/processes/spawnHere';
import { PROCESS_MARK, watchGroups } from '../../io/processes/watchGroups';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { type Backpressure, noBackpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import type { Backend } from '../backend';
import { localBackend } from '../local/localBackend';
import { type OpenStore, RETENTION, retention } from '../local/retention';
import { hasJournals, settled, settleNow } from '../localPatch/settleFirst';
import { isLikelyDenied } from '../sandbox/isLikelyDenied';
import { type Permissions, permittedBackend } from '../sandbox/permissions';
import { sandboxDeps } from '../sandbox/sandboxesHere';
import { filesInside } from '../sandboxPatches/filesInside';
import { execMethods, type ServerEnvironment } from '../server/execMethods';
import { type ExecSessions, execSessions } from '../server/execSessions';
import type { ForwardFilesDeps } from '../server/forwardFiles';
import { limitProcesses, PROCESS_LIMITS } from '../server/processLimits';
import { type ExecCeiling, hintOf, imposedLimitOf } from './ceiling';
import { localFiles } from './localFiles';

/** The process as every session sees it. */
export type SessionsDeps = {
  /** Emits when the server ends, and to each later subscriber. */
  stop$: Observable<unknown>;
  log: Log;
  processInfo: ProcessInfo;
};

/** The limits of the server. */
export type SessionsOptions = {
  maxProcesses: number;
  /** How much output is retained over all sessions. */
  retainBytes: number;
  /** How long a session waits for its client. */
  graceMs: number;
  maxSessions: number;
  /** What clients may do at most. */
  ceiling: ExecCeiling;
};

/** Sessions, and how many processes run in all of them. */
export type OpenSessions = ExecSessions & { running: () => number };

/** Wraps the store of a session's processes, which retains output in memory. */
export type StoreFor = (sessionId: string) => (inner: OpenStore) => OpenStore;

/**
 * Begins without a session; all share the retained output and the limit of processes. With `storeFor` their events are stored instead of sent. A session opens
 * once the patches that a killed process left are settled.
 */
export const openSessions = (around: SessionsDeps, options: SessionsOptions, storeFor?: StoreFor): OpenSessions => {
  const { log, processInfo, stop$ } = around;
  const limited = limitProcesses(options.maxProcesses);
  const { methodsOf, settling } = methodsHere({ ...around, storeFor, limited: limited.limit }, options);
  const sessions = execSessions({ ...options, methodsOf, stop$, newId: randomUUID, log });
  const all = [settleNow({ ...processInfo, log }), settling];
  return {
    ...sessions,
    open: (id) => settled({ log }, all).pipe(concatMap(() => sessions.open(id))),
    running: limited.running,
  };
};

type MethodsAround = SessionsDeps & { storeFor: StoreFor | undefined; limited: (backend: Backend) => Backend };

const localBackends = ({ log, processInfo }: Pick<SessionsDeps, 'log' | 'processInfo'>) => {
  const watch = watchGroups({ spawn: spawnHere, mark: processInfo.env[PROCESS_MARK] });
  const child = { spawn: spawnHere, signals: constants.signals, watch };
  const terminals = findTerminals({ packages: TERMINAL_PACKAGES, log });
  return (backpressure: Backpressure, openStore: OpenStore) =>
    localBackend({ ...child, terminals, openStore, backpressure });
};

const methodsHere = ({ log, processInfo, storeFor, limited }: MethodsAround, options: SessionsOptions) => {
  const { maxProcesses, retainBytes, ceiling } = options;
  const openStore = retention({ ...RETENTION, maxTotalBytes: retainBytes });
  const local = localBackends({ log, processInfo });
  const own = sandboxDeps({ processInfo, backend: local(noBackpressure, openStore), newId: randomUUID, log });
  const permit = permittedBackend({ ...own, ceiling: ceiling.sandbox });
  const files = filesOf(processInfo, log);
  const plainInside = (backpressure: Backpressure, permissions?: Permissions) =>
    filesInside({ backend: permit(limited(local(backpressure, openStore)))(permissions), processInfo, log });
  const { insideOf, settled: settling } = withSandboxPatches({ processInfo, log }, plainInside);
  const methodsOf = (backpressure: Backpressure, sessionId: string) =>
    execMethods({
      backendFor: permit(limited(local(backpressure, storeFor?.(sessionId)(openStore) ?? openStore))),
      isLikelyDenied,
      events: storeFor === undefined ? 'sent' : 'stored',
      keptBy: imposedLimitOf(ceiling.sandbox),
      limits: { ...PROCESS_LIMITS, maxProcesses },
      environment: ceiling.sandbox ? withoutSecrets(processInfo.env) : processInfo.env,
      files,
      inside: ceiling.sandbox && { ...insideOf(backpressure), hint: hintOf(ceiling.sandbox) },
      insideOf: newest(MAX_INSIDE, (permissions: Permissions) => ({
        ...insideOf(backpressure, permissions),
        hint: OF_CLIENT,
      })),
      fetch: httpFetch({ backpressure }),
      serverEnvironment: serverEnvironment(processInfo),
      methodLimits: ceiling.methods,
    });
  return { methodsOf, settling };
};

/** The patches of all sessions run one after another. */
const filesOf = ({ codexHome, platform }: ProcessInfo, log: Log) => {
  const patches = lazy(() => changing().changeHere({ codexHome, platform, log }));
  return localFiles({
    change: (changes, journalId) => patches().change(changes, journalId),
    settle: (patch) => patches().settle(patch),
  });
};

/** Loaded by the first patch. */
const changing = lazy(() => require('../localPatch/patchHere') as typeof import('../localPatch/patchHere'));

/** Servers in a sandbox per session; each has some 60 MB. */
const MAX_INSIDE = 4;
const OF_CLIENT = 'the sandbox of the request does not let it be written';

/** A ceiling also hides the secrets of the server from its clients. */
const withoutSecrets = (env: ProcessInfo['env']): ProcessInfo['env'] =>
  Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !isSecretVariable(name) && !holdsPassword(value ?? '')),
  );

/** The optional dependency has prebuilt binaries. A user whose platform has none can install node-pty, which is compiled. */
const TERMINAL_PACKAGES: readonly (() => TerminalPackage)[] = [
  lazy(() => require('@lydell/node-pty') as TerminalPackage),
  lazy(() => require('node-pty') as TerminalPackage),
];

/** Calls `make` once for equal inputs, as JSON has them, as long as they are among the last `many`. */
export const newest = <I, O>(many: number, make: (input: I) => O): ((input: I) => O) => {
  const made = new Map<string, O>();
  return (input) => {
    const key = JSON.stringify(input);
    const found = made.get(key) ?? make(input);
    made.delete(key);
    made.set(key, found);
    const [oldest] = made.keys();
    if (made.size > many && oldest !== undefined) made.delete(oldest);
    return found;
  };
};

/** How Codex names operating systems. */
const PLATFORMS: Record<string, string> = { darwin: 'macos', win32: 'windows' };

type Machine = Pick<ProcessInfo, 'env' | 'cwd' | 'home' | 'platform' | 'version'>;

/** The shell, folders and platform of this process. */
export const serverEnvironment = ({ env, cwd, home, platform, version }: Machine): ServerEnvironment => {
  const shell = env.SHELL || '/bin/sh';
  return {
    shell: { name: basename(shell), path: shell },
    version,
    cwd,
    home,
    tempDir: temporaryFolder(),
    platform: PLATFORMS[platform] ?? platform,
  };
};

/** The used part of a package that opens terminals. */
type TerminalPackage = { spawn: SpawnTerminal };

/** Each of `packages` returns a package, or throws if it is not installed; the first installed one is used. */
type FindTerminalsDeps = { packages: readonly (() => TerminalPackage)[]; log: Log };

/** Returns what opens terminals; undefined, with a log record, without it. Looks again at each call, as a package may be installed later. */
export const findTerminals =
  ({ packages, log }: FindTerminalsDeps) =>
  (): SpawnTerminal | undefined => {
    const failures: string[] = [];
    for (const load of packages) {
      try {
        return load().spawn;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    log('info', 'no process can have a terminal', { why: failures.join('; ') });
    return undefined;
  };

/** A server of files in a sandbox with these permissions; undefined: in the sandbox of the ceiling. */
type OpenInside = (
  backpressure: Backpressure,
  permissions?: Permissions,
) => Pick<ForwardFilesDeps, 'request' | 'alive$'>;

type SandboxServersDeps = { processInfo: Pick<ProcessInfo, 'codexHome'>; log: Log };

/** The same servers; what a process that was killed has left half done is settled now, until `settled` resolves, and before each patch. */
const withSandboxPatches = (
  { processInfo: { codexHome }, log }: SandboxServersDeps,
  open: OpenInside,
): { insideOf: OpenInside; settled: Promise<void> | undefined } => {
  const folder = join(codexHome, 'codex-rx', 'patches-inside'); // not the folder of other patches, which every process of this user may settle
  const patches = lazy(() =>
    patchesModule().sandboxPatchesHere({
      codexHome,
      folder,
      log,
      insideOf: (permissions) => open(noBackpressure, permissions).request,
    }),
  );
  const insideOf: OpenInside = (backpressure, permissions) => {
    const inside = open(backpressure, permissions);
    const { request } = inside;
    return {
      ...inside,
      request: (method, params) =>
        method === 'fs/applyChanges' ? patches().change({ permissions, request }, params) : request(method, params),
    };
  };
  return { insideOf, settled: hasJournals(folder) ? patches().recover() : undefined };
};

/** Loaded by the first patch in a sandbox, and if journals may be left. */
const patchesModule = lazy(
  () => require('../sandboxPatches/sandboxPatchesHere') as typeof import('../sandboxPatches/sandboxPatchesHere'),
);
