/** The sandboxes of this machine, as sessions use them; and placeholders that killed processes left behind, which a later start removes. */
import { catchError, concatMap, map, type Observable, observeOn, of } from 'rxjs';
import type { Owners } from '../../io/files/owner';
import type { PrivateFiles } from '../../io/files/privateFiles';
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
import { type Network, type Sandbox, SandboxError } from './sandbox';
import { type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';
import { outsideSockets } from './unixSockets';

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
    const network = networkOf(settings);
    for (const text of [...leftOut(deps, settings, roots), ...closedFor(deps.files, settings, roots)]) warn(text);
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

/** Why the commands of a session with a network cannot use Unix sockets; empty if they can. */
const closedFor = (
  files: SandboxesDeps['files'],
  settings: SandboxSettings,
  { workspace, temporary }: Roots,
): string[] => {
  if (networkOf(settings) !== 'open' || settings.unixSockets !== undefined) return [];
  const [name] = outsideSockets(files, [...workspace, ...temporary]).exposed ?? [];
  if (name === undefined) return [];
  const remedy =
    'To let commands use Unix sockets, and reach this one too, set sandbox_workspace_write.unix_sockets = true';
  return [
    `commands get no Unix sockets: a program listens on ${JSON.stringify(name)}, which the sandbox cannot hide. ${remedy}`,
  ];
};

/** What the operator lets into the sandbox besides folders and the network; nothing may be written, or used, in a mode that only reads. */
const widenBy = (files: SandboxesDeps['files'], { mode, unixSockets, devices = [] }: SandboxSettings) => {
  if (mode === 'read-only') return undefined;
  return (sandbox: Sandbox): Sandbox => ({
    ...sandbox,
    ...(devices.length > 0 && { devices: devices.flatMap((path) => deviceAt(files, path) ?? []) }),
    ...(sandbox.network === 'open' && unixSockets !== false && withSockets(files, sandbox, unixSockets)),
  });
};

/** Without `unixSockets` none are opened while one of a program outside is exposed. */
const withSockets = (files: SandboxesDeps['files'], { writable, hidden }: Sandbox, unixSockets?: true) => {
  const outside = outsideSockets(files, writable);
  const isOpen = unixSockets ?? outside.exposed?.length === 0;
  return isOpen && { unixSockets: true, hidden: [...hidden, ...outside.hidden] };
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
