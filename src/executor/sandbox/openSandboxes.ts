/** The sandboxes of this machine, as sessions use them; and placeholders that killed processes left behind, which a later start removes. */
import { catchError, concatMap, map, type Observable, observeOn, of } from 'rxjs';
import type { Owners } from '../../io/files/owner';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { inFolder } from '../../io/paths/relations';
import { parseJson } from '../../protocol/jsonrpc/json';
import { memoize } from '../../streams/lazy';
import { inTurns } from '../../streams/pausing';
import type { Backend } from '../backend';
import {
  checkSandbox,
  type EnterDeps,
  enterSandbox,
  isPlaceholder,
  type MarkerFiles,
  removeRules,
  sweep,
} from './enterSandbox';
import { mayWrite } from './mayWrite';
import {
  deviceAt,
  leftOut,
  NO_PROTECTED_PATHS,
  NO_ROOTS,
  type PinDeps,
  type ProtectedPaths,
  pinRoots,
  type Roots,
  type SandboxSettings,
} from './pinRoots';
import { type Hidden, type Network, type Sandbox, SandboxError } from './sandbox';
import { type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';

/** What makes the sandboxes of this machine, and what runs commands in them. */
export type SandboxesDeps = SandboxMakerDeps & EnterDeps & PinDeps;

/** Whether commands can run in a sandbox now. */
type Readiness =
  | { kind: 'ready' }
  | {
      kind: 'missing';
      /** Why not, and what helps. */
      remedy: string;
    };

/** The sandboxes of one session. */
export type SessionSandbox = {
  /** Emits once and completes, again for each subscriber, because a folder may have been moved meanwhile. */
  ready$: Observable<Readiness>;
  /** As the settings allow. */
  asSet: Backend;
  /** No writing and no network, for commands that only read. */
  readOnly: Backend;
  /** Whether the settings let a patch write to an absolute path without links. */
  mayWrite: (real: string) => boolean;
  /** The folders that `asSet` may write to. */
  writable: readonly string[];
  /** The network of `asSet`. */
  network: Network;
};

/** Opens the sandboxes of a session. Its writable folders are the folders that exist now. Throws SandboxError if its own folder can never be written. */
export type OpenSandbox = (settings: SandboxSettings) => SessionSandbox;

/** Searches the program that makes sandboxes once, when the first session needs it. */
export const openSandboxes = (deps: SandboxesDeps): OpenSandbox => {
  const { found$, inside } = sandboxMaker(deps);
  const enter = enterSandbox(deps);
  const warn = memoize((text: string) => {
    deps.log('warning', text);
    return text; // once each, whatever the number of threads
  });
  return (settings) => {
    const roots = pinRoots(deps, settings);
    for (const text of leftOut(deps, settings, roots)) warn(text);
    const network = networkOf(settings);
    const { protectedPaths = NO_PROTECTED_PATHS } = settings;
    const insideOf = (roots: Roots, network: Network, widen = (sandbox: Sandbox) => sandbox) =>
      inside(deps.backend, function* () {
        const { sandbox, release } = yield* enter(roots, network, protectedPaths);
        return { sandbox: widen(sandbox), release };
      });
    return {
      ready$: found$.pipe(
        observeOn(deps.starts), // all that wait for the first sandbox look at the disk then
        concatMap((found) => (found.kind === 'missing' ? of(found) : readiness(deps, roots, protectedPaths))),
      ),
      asSet: insideOf(roots, network, widenBy(deps.files, settings)),
      readOnly: insideOf(NO_ROOTS, 'closed'),
      mayWrite: mayWrite({ ...deps, protectedPaths }, roots),
      writable: [...roots.workspace, ...(roots.repositories ?? []), ...roots.temporary],
      network,
    };
  };
};

/** The network is opened for a session that may write, as in Codex 0.28.0. */
const networkOf = ({ mode, networkAccess }: SandboxSettings): Network =>
  mode === 'workspace-write' && networkAccess ? 'open' : 'closed';

/** What the operator lets into the sandbox besides folders and the network; nothing may be written, or used, in a mode that only reads. */
const widenBy = (files: SandboxesDeps['files'], { mode, unixSockets, devices = [] }: SandboxSettings) => {
  if (mode === 'read-only') return undefined;
  return (sandbox: Sandbox): Sandbox => ({
    ...sandbox,
    ...(devices.length > 0 && { devices: devices.flatMap((path) => deviceAt(files, path) ?? []) }),
    ...(unixSockets === true &&
      sandbox.network === 'open' && { unixSockets, hidden: [...sandbox.hidden, ...boundSockets(files)] }),
  });
};

/** Where systems, and containers that share a socket of their host, have sockets. */
const OF_SERVICES = ['/run', '/var/run'];
/** As deep as `/run/user/1000/gnupg/S.gpg-agent`. */
const DEPTH = 4;
/** Folders there in which other disks appear: `/run/media`, and those of GNOME in `/run/user/1000`. */
const OF_DISKS = ['media', 'gvfs', 'doc'];

/**
 * The Unix sockets that programs have bound to a path, and those of services: whoever reached the socket of Docker, an agent or D-Bus would be out of the
 * sandbox. What is bound later, elsewhere by a relative path or in another network namespace, or to a name without a file is not among them.
 */
const boundSockets = (files: SandboxesDeps['files']): Hidden[] => {
  const lines = (files.readText('/proc/net/unix') ?? '').split('\n');
  const bound = lines.flatMap((line) => /^\S+: (?:\S+ +){6}(\/.*)$/.exec(line)?.[1] ?? []);
  const paths = [...bound, ...OF_SERVICES].flatMap((path) => files.realpath(path) ?? []);
  return [...new Set(paths)].flatMap((path) => specialIn(files, path, DEPTH)).map((path) => ({ path, kind: 'file' }));
};

/** The path if it is a socket or the like, or those in the folder. */
const specialIn = (files: SandboxesDeps['files'], path: string, depth: number): string[] => {
  const kind = files.kindOf(path);
  if (kind === 'other') return [path];
  if (kind !== 'folder' || depth === 0) return [];
  const names = files.list(path).filter((name) => !OF_DISKS.includes(name));
  return names.flatMap((name) => specialIn(files, inFolder(path, name), depth - 1));
};

/** Whether the sandbox can be enforced now. */
const readiness = (deps: SandboxesDeps, roots: Roots, protectedPaths: ProtectedPaths): Observable<Readiness> =>
  inTurns(deps.starts, () => checkSandbox(deps)(roots, protectedPaths)).pipe(
    map((): Readiness => ({ kind: 'ready' })),
    catchError((error) => {
      if (error instanceof SandboxError) return of<Readiness>({ kind: 'missing', remedy: error.message });
      throw error;
    }),
  );

type PlacesDeps = {
  /** Out of reach of the sandboxes. */
  notes: Pick<PrivateFiles, 'read' | 'open' | 'replace'>;
  /** The file with the paths of the placeholders, a line for each. */
  list: string;
  files: MarkerFiles;
  /** The owners of markers in a folder. */
  owners: (folder: string) => Pick<Owners, 'stateOf'>;
  /** Receives why the list cannot be used; the sandboxes work without it. */
  failed: (error: Error) => void;
};

type Places = {
  /** Removes what other processes left. Never throws. */
  clean: () => void;
  /** Remembers a placeholder until a later start has removed it. Never throws. */
  note: (path: string) => void;
};

/** More lines than this are of places that are long gone. */
const MAX_LINES = 1_000;

/** The places of one Codex home. A path is written once for each process, not once for each command. */
export const leftPlaceholders = (deps: PlacesDeps): Places => {
  const noted = new Set<string>(); // by this process
  const attempt = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      deps.failed(error as Error);
    }
  };
  return {
    clean: () => attempt(() => clean(deps)),
    note: (path) => {
      if (noted.has(path)) return;
      noted.add(path);
      attempt(() => append(deps, path));
    },
  };
};

const clean = (deps: PlacesDeps): void => {
  const { notes, list } = deps;
  const text = notes.read(list);
  if (text === undefined || text === '') return;
  const paths = [...new Set(text.split('\n').map(parseJson))].filter((path) => typeof path === 'string');
  const left = paths.slice(-MAX_LINES).filter((path) => isLeft(deps, path));
  if (left.length < paths.length) notes.replace(list, left.map(toLine).join(''));
};

/** True if other processes need the placeholder, after what has ended was removed. */
const isLeft = ({ files, owners }: PlacesDeps, path: string): boolean => {
  if (!isPlaceholder(files, path)) return false; // it was taken away, or somebody made a folder of their own
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  sweep(files, path, owners(folder).stateOf);
  if (files.list(path).every((name) => name === 'info')) removeRules(files, path);
  files.removeFolder(path); // fails while other processes need it
  return files.list(path).length > 0;
};

const append = ({ notes, list }: PlacesDeps, path: string): void => {
  const file = notes.open(list);
  try {
    file.append(toLine(path));
  } finally {
    file.close();
  }
};

const toLine = (path: string): string => `${JSON.stringify(path)}\n`;
