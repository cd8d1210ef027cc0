/** The workspace of threads on this machine: commands, sandboxes, patches, the bash grammar, instructions. */
import { createHash } from 'node:crypto';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { defer, type Observable, of, type SchedulerLike, subscribeOn } from 'rxjs';
import type { Backend } from '../../executor/backend';
import { environmentOf, withheldBy } from '../../executor/environment';
import type { PatchHereDeps } from '../../executor/localPatch/patchHere';
import type { TurnChanges } from '../../executor/patch/turnChanges';
import { hasSystemLinks, trustDeps } from '../../executor/sandbox/belongsToSystem';
import type { OpenSandbox, SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { SandboxSettings } from '../../executor/sandbox/pinRoots';
import { isPlaceholder } from '../../executor/sandbox/placeholders';
import { SandboxError } from '../../executor/sandbox/sandbox';
import { sandboxesHere } from '../../executor/sandbox/sandboxesHere';
import { sandboxFiles } from '../../executor/sandbox/sandboxFilesHere';
import { secretsHere } from '../../io/disk/secretsHere';
import { factsAt, isProgram, isThere, realPathOf } from '../../io/paths/look';
import { trustedFolders, workspaceProgram } from '../../io/processes/trustedFolders';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import { ConfigError } from '../../settings/faults/configError';
import { natsFiles } from '../../settings/readNats';
import { lazy, oncePerTask } from '../../streams/lazy';
import { type Pausing, startsInTurns } from '../../streams/pausing';
import type { Patches, SeamPorts } from '../../tapes/seams/ports';
import type { OwnFolders } from '../../threads/lines/rolloutEntry';
import type { EngineOptions } from '../engineOptions';
import { showsSecrets } from '../safety/trustedPaths';
import { type InstructionSearch, userInstructions } from '../thread/userInstructions';
import type { Workspace } from '../thread/workspace';
import { type BuiltInDeps, builtInTools } from '../tools/builtInTools';
import { runCommand } from '../tools/runCommand';
import type { Disk } from '../wiring/disk';
import { configDeps, diskOf, seamsOf, type Wiring } from '../wiring/wiring';
import { bashHere, readyGrammar } from './bashHere';
import { marksHere } from './fileMarks';
import { isInPlaces, readImage } from './readImage';

type ToolWiring = Pick<
  Wiring,
  'processInfo' | 'options' | 'log' | 'newId' | 'backpressure' | 'seams' | 'tape' | 'disk'
>;

/** Loads what the first command and the first patch need. */
export function* readyCommands(dist: string): Pausing<void> {
  patchModule();
  yield;
  readyGrammar(dist);
}

/** Loaded by the first patch. */
const patchModule = lazy(
  () => require('../../executor/localPatch/patchHere') as typeof import('../../executor/localPatch/patchHere'),
);

const patchesHere = (deps: PatchHereDeps): Patches => {
  const here = lazy(() => patchModule().patchHere(deps));
  return {
    check: (...given) => defer(() => here().check(...given)),
    apply: (order) => defer(() => here().apply(order)),
  };
};

const clockMs = (): number => performance.now();

/** Many commands that begin at once, with their sandboxes, do not hold up the event loop. */
const startedIn =
  <T, R>(starts: SchedulerLike, run: (command: T) => Observable<R>) =>
  (command: T): Observable<R> =>
    run(command).pipe(subscribeOn(starts));

/** What the built-in tools need of this machine. */
export const toolDeps = (wiring: ToolWiring, backend: Backend): BuiltInDeps => {
  const { log, newId, backpressure } = wiring;
  const processInfo = { ...wiring.processInfo, credentialFiles: natsFiles(configDeps(wiring)) };
  const { env, cwd, codexHome, dist, platform } = processInfo;
  const secrets = secretsHere(processInfo);
  const trust = trustDeps(processInfo);
  const open = sandboxesHere({ processInfo, backend, newId, log });
  const seams = seamsOf(wiring);
  const now = seams.chance('toolTime', clockMs);
  const starts = startsInTurns({ now: clockMs, soon: setImmediate });
  return {
    ...bashHere(dist, log),
    realFolder: (path) => of(seams.chance(`folder ${path}`, () => sandboxFiles.realpath(path) ?? path)()), // recorded, as it may change
    marksOf: marksHere(seams.chance),
    repositoryOf: (folder) => repositoryOf(sandboxFiles.realpath(folder) ?? folder),
    showsSecrets: showsSecrets({ realpath: sandboxFiles.realpath, secrets }),
    runOn: (backend) => startedIn(starts, runCommand({ backend, backpressure, now, clockMs })),
    backend,
    terminals: terminalsOf(env, seams),
    trustedPath: (path, workspace) => trustedFolders(trust, path, [cwd, ...workspace]).join(delimiter),
    workspaceProgram: (names, path, workspace) =>
      workspaceProgram({ ...trust, isProgram })(names, path, [cwd, ...workspace]),
    environmentOf: (policy) => environmentOf(env, policy),
    ...seams.patches(patchesHere({ codexHome, platform, log })),
    isSecret: (real, denied) => isInPlaces([...secrets(), ...denied], real),
    now,
    readImage: readImage({ secrets }),
    openSandbox: (config) => openedBy(open, toSettings(config, env)),
  };
};

const terminalsOf = (env: ProcessInfo['env'], { chance }: Pick<SeamPorts, 'chance'>): BuiltInDeps['terminals'] => ({
  signals: constants.signals,
  withheld: (policy) => chance('withheld', () => withheldBy(env, policy))(), // recorded, as a client is sent the names
});

/** A folder that can never be written is a fault of the settings. Throws ConfigError. */
const openedBy = (open: OpenSandbox, settings: SandboxSettings): SessionSandbox => {
  try {
    return open(settings);
  } catch (error) {
    throw error instanceof SandboxError ? new ConfigError(error.message) : error;
  }
};

/** The sandbox of a thread in full access is for commands that only read. */
const toSettings = (
  { cwd, folders, sandboxMode, workspaceWrite, protectedPaths, shellEnvironment }: Config,
  { TMPDIR }: ProcessInfo['env'],
): SandboxSettings => ({
  ...workspaceWrite,
  mode: sandboxMode === 'workspace-write' ? sandboxMode : 'read-only',
  cwd: folders[cwd] ?? cwd,
  writableRoots: workspaceWrite.writableRoots.flatMap((root) => folders[root] ?? []),
  ownRoots: (workspaceWrite.ownRoots ?? []).flatMap((root) => folders[root] ?? []),
  tmpdir: environmentOf({ TMPDIR }, shellEnvironment).TMPDIR,
  ...(protectedPaths && { protectedPaths }),
});

/** Loaded by the first turn that changed a file. */
const diffModule = lazy(
  () => require('../../executor/patch/toTurnDiff') as typeof import('../../executor/patch/toTurnDiff'),
);

/** The diff of a turn, with paths relative to the repository; if there is none, to the folder of the thread, or absolute. */
const turnDiffHere =
  ({ bareDiffPaths }: Pick<EngineOptions, 'bareDiffPaths'>) =>
  (cwd: string): ((changes: TurnChanges) => string) => {
    const folder = realPathOf(cwd) ?? cwd;
    const root = repositoryOf(folder) ?? (bareDiffPaths === 'absolute' ? undefined : folder);
    return diffModule().toTurnDiff({ blobId, root });
  };

/** Source: git, blob objects. */
export const blobId = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const repositoryOf = (cwd: string): string | undefined => {
  for (let at = cwd; dirname(at) !== at; at = dirname(at)) if (isGit(join(at, '.git'))) return at;
  return undefined;
};

/** Not the folder that a sandbox puts there while a command runs: git does not take that for a repository either. */
const isGit = (path: string, exists = isThere): boolean => exists(path) && !isPlaceholder(sandboxFiles, path);

/** A file is read as a whole, so its length must not be up to the repository. */
const MOST_BYTES = 4_194_304;

/** The text of a regular file. A file that cannot be read, or is too long, counts as missing, and is logged. */
const readDocument =
  ({ bytesOf, readIfThere }: Disk, log: Log) =>
  (path: string): string | undefined => {
    try {
      const bytes = bytesOf(path);
      if (bytes !== undefined && bytes > MOST_BYTES)
        throw new Error(`it has ${bytes} bytes; at most ${MOST_BYTES} are read`);
      return bytes === undefined ? undefined : readIfThere(path);
    } catch (error) {
      log('warning', 'instructions could not be read', { path, reason: (error as Error).message });
      return undefined;
    }
  };

/** What a thread keeps of its folders. Links of the system, such as those of macOS to /private, may lead elsewhere later: no command could have made them. */
const identified = (folders: Config['folders']): OwnFolders =>
  Object.fromEntries(Object.entries(folders).map(([named, real]) => [named, identityOf(named, real)]));

const identityOf = (named: string, real: string): OwnFolders[string] => {
  const path = named === real || hasSystemLinks(named) ? named : real;
  const owner = factsAt(real)?.uid;
  return { path, ...(owner !== undefined && { owner: owner === process.getuid?.() ? 0 : owner }) };
};

const searchOf = ({ cwd, folders, ...config }: Config): InstructionSearch => ({
  cwd: folders[cwd] ?? cwd,
  maxBytes: config.projectDocMaxBytes,
  fallbacks: config.projectDocFallbacks,
  markers: config.projectRootMarkers,
});

/**
 * The workspace of a thread. Threads that are opened together share what they find.
 * @param backend runs commands of the threads as they are
 */
export const workspaceHere = (wiring: Wiring, backend: Backend): ((config: Config) => Workspace) => {
  const { options, log, processInfo } = wiring;
  const deps = toolDeps(wiring, backend);
  const disk = diskOf(wiring);
  const instructions = userInstructions({
    readFile: readDocument(disk, log),
    exists: (path) => isGit(path, disk.exists),
    realpath: (path) => (disk.exists(path) ? disk.realpath(path) : undefined),
    codexHome: processInfo.codexHome,
  });
  const task = { afterTask: queueMicrotask };
  const instructionsFor = oncePerTask(task, (config: Config) => instructions(searchOf(config)));
  return oncePerTask(task, (config: Config) => {
    const sandbox = deps.openSandbox(config);
    return {
      config,
      builtIn: builtInTools({ ...deps, openSandbox: () => sandbox })(config),
      writableRoots: () => sandbox.writable,
      folders: identified(config.folders),
      userInstructions: () => instructionsFor(config),
      turnDiff: (changes) => turnDiffHere(options)(config.cwd)(changes),
      readImage: deps.readImage,
    };
  });
};
