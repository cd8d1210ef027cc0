/** The sandboxes of this machine, as sessions use them. */
import { map, type Observable, observeOn, type SchedulerLike } from 'rxjs';
import { memoize } from '../../streams/lazy';
import type { Backend } from '../backend';
import { checkSandbox, type EnterDeps, enterSandbox } from './enterSandbox';
import { mayWrite } from './mayWrite';
import {
  leftOut,
  NO_PROTECTED_PATHS,
  NO_ROOTS,
  type PinDeps,
  pinRoots,
  type Roots,
  type SandboxSettings,
} from './pinRoots';
import { type Network, SandboxError } from './sandbox';
import { type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';

/** What makes the sandboxes of this machine, and what runs commands in them. */
export type SandboxesDeps = SandboxMakerDeps &
  EnterDeps &
  PinDeps & {
    /** Looks at the disk before a command, many of which may begin at once: see `startsInTurns`. */
    starts: SchedulerLike;
  };

/** Whether commands can run in a sandbox now. */
export type Readiness =
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
    const check = checkSandbox(deps);
    const insideOf = (roots: Roots, network: Network) =>
      inside(deps.backend, () => enter(roots, network, protectedPaths));
    return {
      ready$: found$.pipe(
        observeOn(deps.starts), // all that wait for the first sandbox look at the disk then
        map((found) => (found.kind === 'missing' ? found : checked(() => check(roots, protectedPaths)))),
      ),
      asSet: insideOf(roots, network),
      readOnly: insideOf(NO_ROOTS, 'closed'),
      mayWrite: mayWrite({ ...deps, protectedPaths }, roots),
      writable: [...roots.workspace, ...roots.temporary],
      network,
    };
  };
};

/** The network is opened for a session that may write, as in Codex 0.28.0. */
const networkOf = ({ mode, networkAccess }: SandboxSettings): Network =>
  mode === 'workspace-write' && networkAccess ? 'open' : 'closed';

const checked = (check: () => void): Readiness => {
  try {
    check();
    return { kind: 'ready' };
  } catch (error) {
    if (error instanceof SandboxError) return { kind: 'missing', remedy: error.message };
    throw error;
  }
};
