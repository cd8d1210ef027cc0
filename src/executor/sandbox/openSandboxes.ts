/** The sandboxes of this machine: as sessions use them. */
import { concatMap, map, type Observable, of, shareReplay, tap } from 'rxjs';
import type { Log } from '../../log';
import type { ProcessEvent } from '../../protocol/exec';
import type { Backend } from '../backend';
import { checkSandbox, type EnterDeps, enterSandbox } from './enterSandbox';
import { type FindWrapperDeps, type FoundWrapper, findWrapper } from './findWrapper';
import { mayWrite } from './mayWrite';
import { pinRoots, type Roots, type SandboxSettings } from './pinRoots';
import { type Network, SandboxError } from './sandbox';
import { type SandboxBackendDeps, sandboxBackend } from './sandboxBackend';
import { type Wrapper, wrapForSandbox } from './wrapForSandbox';

/** @param log gets one warning where no sandbox works */
export type SandboxesDeps = FindWrapperDeps &
  EnterDeps &
  Pick<SandboxBackendDeps, 'cannotRun' | 'later'> & { log: Log };

/** Whether commands can run in a sandbox now; `remedy` says why not, and what helps. */
export type Readiness = { kind: 'ready' } | { kind: 'missing'; remedy: string };

/**
 * The sandboxes of one session. `asSet`: what its settings allow; `readOnly`: no writing, no network, for commands that only read.
 * `ready$` emits once and completes, anew for each subscriber, since a folder may have been moved meanwhile.
 * `mayWrite`: whether the settings let a patch write to an absolute path without links. `network`: that of `asSet`.
 */
export type SessionSandbox = {
  ready$: Observable<Readiness>;
  asSet: Backend;
  readOnly: Backend;
  mayWrite: (real: string) => boolean;
  network: Network;
};

/** Opens the sandboxes of a session: its writable folders are those that are there now. */
export type OpenSandbox = (settings: SandboxSettings) => SessionSandbox;

const NO_ROOTS: Roots = { workspace: [], temporary: [] };

/** Looks for what makes sandboxes when the first session needs one, and once only. */
export const openSandboxes = (deps: SandboxesDeps): OpenSandbox => {
  const found$ = findWrapper(deps).pipe(
    tap((found) => found.kind === 'missing' && deps.log('warning', found.remedy)),
    shareReplay(1),
  );
  const inside = backendsOf(deps, found$, enterSandbox(deps));
  return (settings) => {
    const roots = pinRoots(deps.files, settings);
    const network = networkOf(settings);
    return {
      ready$: found$.pipe(map((found) => (found.kind === 'missing' ? found : checked(deps, roots)))),
      asSet: inside(roots, network),
      readOnly: inside(NO_ROOTS, 'closed'),
      mayWrite: mayWrite(deps, roots),
      network,
    };
  };
};

/** The network is opened for a session that may write, as in Codex 0.28.0. */
const networkOf = ({ mode, networkAccess }: SandboxSettings): Network =>
  mode === 'workspace-write' && networkAccess ? 'open' : 'closed';

const checked = (deps: SandboxesDeps, roots: Roots): Readiness => {
  try {
    checkSandbox(deps)(roots);
    return { kind: 'ready' };
  } catch (error) {
    if (error instanceof SandboxError) return { kind: 'missing', remedy: error.message };
    throw error;
  }
};

/** Backends for what may be written, and whether there is a network. */
const backendsOf =
  (deps: SandboxesDeps, found$: Observable<FoundWrapper>, enter: ReturnType<typeof enterSandbox>) =>
  (roots: Roots, network: Network): Backend => {
    const own = { ...deps, enter: () => enter(roots, network) };
    const inside = (wrapper: Wrapper) => sandboxBackend({ ...own, wrap: wrapForSandbox(deps.keepBytes, wrapper) });
    const failed = (reason: string) => of<ProcessEvent>({ kind: 'failed', seq: 1, reason });
    return {
      start: (spec) =>
        found$.pipe(
          concatMap((found) => (found.kind === 'ready' ? inside(found.wrapper).start(spec) : failed(found.remedy))),
        ),
    };
  };
