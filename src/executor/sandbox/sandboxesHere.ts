/** Wires sandboxes to this machine. */
import { dirname, join } from 'node:path';
import { filesHere } from '../../io/disk/filesHere';
import { ownCache } from '../../io/disk/ownCache';
import { ownersHere } from '../../io/disk/ownersHere';
import { ownProgram } from '../../io/disk/ownProgram';
import { homesOf, secretsHere } from '../../io/disk/secretsHere';
import { temporaryPlaces } from '../../io/disk/temporaryFolders';
import { watchFiles } from '../../io/disk/watchFiles';
import { isFile, isFolder, isProgram } from '../../io/paths/look';
import { findCodex } from '../../io/processes/findCodex';
import { spawnHere } from '../../io/processes/spawnHere';
import { cannotRun } from '../../io/processes/startFault';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { startsInTurns } from '../../streams/pausing';
import { isWithin } from '../../streams/text/trim';
import type { Backend } from '../backend';
import { trustDeps } from './belongsToSystem';
import { holdBytes, pinPath } from './handles';
import { type OpenSandbox, openSandboxes, type SandboxesDeps } from './openSandboxes';
import { leftPlaceholders } from './placeholders';
import { readPiecesOnce, versionAt } from './readPlain';
import { sandboxFiles } from './sandboxFilesHere';

type SandboxesHereDeps = {
  processInfo: Pick<
    ProcessInfo,
    | 'env'
    | 'cwd'
    | 'home'
    | 'systemHome'
    | 'codexHome'
    | 'credentialFiles'
    | 'dist'
    | 'node'
    | 'modules'
    | 'platform'
    | 'arch'
  >;
  /** Runs processes on this machine as they are. */
  backend: Backend;
  newId: () => string;
  log: Log;
};

/** How long a killed process may take to end. */
const GONE_MS = 1_000;

/** The programs that make a sandbox. They run outside of it, so no command may replace them. */
const MAKERS = ['bwrap', 'bash', 'env'];

/** Folders with programs of the system; searched first. */
const USUAL = ['/usr/bin', '/bin', '/usr/local/bin'];

/** The sandboxes of sessions on this machine. */
export const sandboxesHere = (deps: SandboxesHereDeps): OpenSandbox => {
  const { codexHome } = deps.processInfo;
  const own = join(codexHome, 'codex-rx'); // a server has made it before the first command
  const owners = (folder: string) => ownersHere({ folder });
  const places = leftPlaceholders({
    notes: filesHere(codexHome).files,
    list: join(own, 'placeholders'),
    files: sandboxFiles,
    owners,
    failed: ({ message }) => deps.log('debug', 'placeholders are not remembered', { error: message }),
  });
  places.clean();
  const { watch, ...made } = sandboxDeps(deps);
  return openSandboxes({
    ...made,
    watch: (marker) => {
      if (isFolder(own)) places.note(dirname(marker));
      return watch(marker);
    },
  });
};

/** Whether no home is in a folder of Codex, or is that folder: many files of a home are no secrets. */
const holdsNone = (homes: readonly string[], codexHome: string): boolean =>
  !homes.some((home) => isWithin(realPath(codexHome), realPath(home)));

/** What the next start runs. No folder of caches is made for it: a missing one could not be protected. */
const compiledCode = (env: ProcessInfo['env']): string[] => {
  const cache = ownCache(env);
  return cache !== undefined && isFolder(dirname(cache)) ? [cache] : [];
};

const realPath = (path: string): string => sandboxFiles.realpath(path) ?? path;

const wholeProgram = (processInfo: SandboxesHereDeps['processInfo'], makers: readonly string[]) => {
  const { parts, links } = ownProgram(processInfo);
  return { program: [...parts, ...compiledCode(processInfo.env), ...makers, ...makers.map(realPath)], links };
};

const mountTable = (): string => sandboxFiles.readText('/proc/self/mountinfo') ?? '';

const later = (action: () => void): void => void setTimeout(action, GONE_MS).unref();

/** Folders of a PATH that no workspace may have filled. */
const trustedOf = (processInfo: SandboxesHereDeps['processInfo'], path: string | undefined): string[] =>
  trustedFolders(trustDeps(processInfo), path, [processInfo.cwd, ...temporaryPlaces()]);

/** The bubblewrap that an installed Codex has next to it. Source: the npm package of Codex 0.169.0 and 0.171.0 for Linux. */
const bwrapOfCodex = (
  processInfo: SandboxesHereDeps['processInfo'],
  folders: readonly string[],
): string | undefined => {
  if (processInfo.platform !== 'linux') return undefined;
  const machine = { ...processInfo, isFile, isFolder, realpath: realPath };
  const found = findCodex({ ...machine, env: { PATH: folders.join(':') } }); // no other variable: a project may have set it
  const program = 'argv' in found ? found.argv[0] : undefined;
  if (program === undefined) return undefined;
  const bwrap = realPath(join(dirname(dirname(realPath(program))), 'codex-resources', 'bwrap'));
  return isProgram(bwrap) && trustedOf(processInfo, dirname(bwrap)).length > 0 ? bwrap : undefined;
};

/** Where a program is found that is installed later. No command in a sandbox writes there, so these need no protection of their own. */
const LATER = ['/usr/bin', '/bin'];

/** The programs that make a sandbox, and what finds them, also later. */
const makersOf = (processInfo: SandboxesHereDeps['processInfo'], usual: readonly string[]) => {
  const folders = [...usual, ...trustedOf(processInfo, processInfo.env.PATH)];
  const look = (name: string): string | undefined =>
    findProgram({ isProgram }, name, folders) ?? (name === 'bwrap' ? bwrapOfCodex(processInfo, folders) : undefined);
  const found = new Map(MAKERS.map((name) => [name, look(name)]));
  const later = usual.filter((folder) => LATER.includes(folder));
  return {
    makers: [...found.values()].flatMap((path) => path ?? []),
    find: (name: string): string | undefined =>
      [found.get(name) ?? ''].find(isProgram) ?? findProgram({ isProgram }, name, later),
  };
};

/** What is asked of the machine as it is now. */
const LOOKS = { mountTable, cannotRun, later };

/** What sandboxes need of this machine. @param usual where programs of the system are, for specs */
export const sandboxDeps = (deps: SandboxesHereDeps, usual: readonly string[] = USUAL): SandboxesDeps => {
  const { processInfo, backend, newId, log } = deps;
  const { codexHome, platform, arch } = processInfo;
  const { homes, codexHomes } = homesOf(processInfo);
  const { find, makers } = makersOf(processInfo, usual);
  const codexHomesOnly = codexHomes.filter((folder) => holdsNone(homes, folder));
  const { program, links } = wholeProgram(processInfo, makers);
  return {
    ...LOOKS,
    files: { ...sandboxFiles, readPieces: readPiecesOnce({ ...sandboxFiles, versionAt }) },
    backend,
    find,
    pinPath: pinPath(),
    holdBytes: holdBytes({ folders: ['/dev/shm', ...temporaryPlaces(), codexHome] }),
    platform,
    arch,
    own: [...codexHomes, ...program, ...links],
    closed: [...codexHomesOnly, ...program],
    secrets: secretsHere(processInfo),
    homes,
    sparse: () => codexHomesOnly,
    id: newId(),
    owners: (folder) => ownersHere({ folder }),
    watch: watchFiles({ spawn: spawnHere }),
    starts: startsInTurns({ now: () => performance.now(), soon: setImmediate }),
    log,
  };
};
