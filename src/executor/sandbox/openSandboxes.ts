/** The sandboxes of this machine, as sessions use them. */
import { catchError, concatMap, map, type Observable, observeOn, of } from 'rxjs';
import { isWithinAny } from '../../io/paths/relations';
import { memoize } from '../../streams/lazy';
import { inTurns } from '../../streams/pausing';
import type { Backend } from '../backend';
import { checkSandbox, type EnterDeps, type Entered, enterSandbox } from './enterSandbox';
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
import { type Readiness, type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';
import { outsideSockets, removeStandIns } from './unixSockets';

/** What makes the sandboxes of this machine, and what runs commands in them. */
export type SandboxesDeps = SandboxMakerDeps & EnterDeps & PinDeps;

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
  const warn = memoize((text) => deps.log('warning', text)); // once each, whatever the number of threads
  let isAnyOpen = false; // whether commands of a session may use Unix sockets
  return (settings) => {
    isAnyOpen ||= mayOpenSockets(settings);
    const roots = pinRoots(deps, settings);
    const network = networkOf(settings);
    for (const text of [...leftOut(deps, settings, roots), ...closedFor(deps.files, settings, roots)]) warn(text);
    const { protectedPaths = NO_PROTECTED_PATHS } = settings;
    const widened = widenBy(deps.files, settings, () => isAnyOpen);
    const insideOf = (roots: Roots, network: Network, widen: Widen = (sandbox) => ({ sandbox })) =>
      inside(deps.backend, function* () {
        const { sandbox, release } = yield* enter(roots, network, protectedPaths);
        return { ...widen(sandbox), release };
      });
    return {
      ready$: found$.pipe(
        observeOn(deps.starts), // all that wait for the first sandbox look at the disk then
        concatMap((found) => (found.kind === 'missing' ? of(found) : readiness(deps, roots, protectedPaths))),
      ),
      asSet: insideOf(roots, network, widened),
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
  const [reason] = outsideSockets(files, [...workspace, ...temporary]).exposed ?? [];
  if (reason === undefined) return [];
  return [
    `commands get no Unix sockets, as the ones of other programs cannot all be hidden: ${reason}. To open them all the same, set sandbox_workspace_write.unix_sockets = true`,
  ];
};

type Widen = (sandbox: Sandbox) => Pick<Entered, 'sandbox' | 'tidy'>;

/** What the operator lets into the sandbox besides folders and the network; nothing may be written, or used, in a mode that only reads. */
const widenBy = (
  files: SandboxesDeps['files'],
  settings: SandboxSettings,
  isAnyOpen: () => boolean,
): Widen | undefined => {
  const { mode, devices = [] } = settings;
  if (mode === 'read-only') return undefined;
  return (sandbox) => {
    const { unixSockets, hidden } = socketsFor(files, settings, isAnyOpen() ? sandbox.writable : undefined);
    return {
      sandbox: {
        ...sandbox,
        ...(devices.length > 0 && { devices: devices.flatMap((path) => deviceAt(files, path) ?? []) }),
        ...(unixSockets && { unixSockets }),
        hidden: [...sandbox.hidden, ...hidden],
      },
      ...(hidden.length > 0 && { tidy: () => removeStandIns(files, hidden) }),
    };
  };
};

/**
 * Whether Unix sockets are opened, and which are hidden. Without `unixSockets` none are opened while one of a program outside is exposed. Who may use none
 * must not move one of a program outside either: a command in another sandbox would find it at its new place.
 * @param writable the writable folders; undefined while no sandbox has Unix sockets
 */
const socketsFor = (
  files: SandboxesDeps['files'],
  settings: SandboxSettings,
  writable: readonly string[] | undefined,
): Pick<Sandbox, 'unixSockets' | 'hidden'> => {
  if (writable === undefined) return { hidden: [] };
  const isWanted = mayOpenSockets(settings);
  const isOrdered = settings.unixSockets === true;
  const { hidden, exposed } = outsideSockets(files, writable, isOrdered ? Number.POSITIVE_INFINITY : undefined);
  if (isWanted && (isOrdered || exposed?.length === 0)) return { unixSockets: true, hidden };
  return { hidden: hidden.filter(({ path }) => isWithinAny(writable, path)) };
};

/** Whether commands get Unix sockets, if those of programs outside can be hidden. */
const mayOpenSockets = (settings: SandboxSettings): boolean =>
  networkOf(settings) === 'open' && settings.unixSockets !== false;

/** Whether the sandbox can be enforced now. */
const readiness = (deps: SandboxesDeps, roots: Roots, protectedPaths: ProtectedPaths): Observable<Readiness> =>
  inTurns(deps.starts, () => checkSandbox(deps)(roots, protectedPaths)).pipe(
    map((): Readiness => ({ kind: 'ready' })),
    catchError((error) => {
      if (error instanceof SandboxError) return of<Readiness>({ kind: 'missing', remedy: error.message });
      throw error;
    }),
  );
