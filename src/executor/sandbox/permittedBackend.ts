/** Backends whose processes may do what a client of the exec-server allows, and no more than the ceiling of the server. */
import { defer, of } from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { Backend } from '../backend';
import { refuseClosed } from './closedPlaces';
import { type EnterDeps, enterSandbox } from './enterSandbox';
import { mayWrite } from './mayWrite';
import { type Ceiling, limitPermissions, type Permissions, pinPermissions } from './permissions';
import type { PinDeps } from './pinRoots';
import { SandboxError } from './sandbox';
import { type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';

/** What makes sandboxes, and the ceiling of all of them. */
export type PermittedDeps = SandboxMakerDeps &
  EnterDeps &
  PinDeps & {
    /** What every process may do at most; roots that do not exist now are left out. Default: anything. */
    ceiling?: Permissions;
  };

/** The processes of a backend with permissions, or, without them, as free as the ceiling allows. */
type Permit = (backend: Backend) => (permissions: Permissions | undefined) => Backend;

/** Links are resolved, and a sandbox is made, when a process starts. If it cannot be made, the start fails. */
export const permittedBackend = (deps: PermittedDeps): Permit => {
  const { inside } = sandboxMaker(deps);
  const enter = enterSandbox(deps);
  const ceiling = deps.ceiling && pinCeiling(deps, deps.ceiling);
  return (backend) => (asked) => {
    if (asked === undefined && ceiling === undefined) return backend;
    return {
      start: (spec) =>
        defer(() => {
          const permissions = permitted(deps, asked, ceiling);
          if (typeof permissions === 'string') return of<ProcessEvent>({ kind: 'failed', seq: 1, reason: permissions });
          const { roots, network, readOnly, denied } = permissions;
          return inside(backend, () => enter(roots, network, { readOnly, denied })).start(spec);
        }),
    };
  };
};

/** Throws SandboxError for a root that is never written: an operator who names one is mistaken. */
const pinCeiling = (deps: EnterDeps & PinDeps, ceiling: Permissions): Ceiling => {
  for (const root of ceiling.roots.workspace) refuseClosed(deps, root);
  const permissions = pinPermissions(deps, ceiling);
  return { permissions, mayWrite: mayWrite(deps, permissions.roots) };
};

/** The permissions of one process, or why there are none. */
const permitted = (
  deps: PinDeps,
  asked: Permissions | undefined,
  ceiling: Ceiling | undefined,
): Permissions | string => {
  if (asked === undefined) return (ceiling as Ceiling).permissions;
  try {
    const pinned = pinPermissions(deps, asked);
    return ceiling === undefined ? pinned : limitPermissions(ceiling, pinned);
  } catch (error) {
    if (error instanceof SandboxError) return `the sandbox could not be made: ${error.message}`;
    throw error;
  }
};
