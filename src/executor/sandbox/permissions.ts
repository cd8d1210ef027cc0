/** What one process may do, before a sandbox is made for it, how a ceiling limits that, and backends whose processes may do no more. */
import { defer, of } from 'rxjs';
import { isWithinAny } from '../../io/paths/relations';
import type { ProcessEvent } from '../../protocol/exec/process';
import { isWithin } from '../../streams/text/trim';
import type { Backend } from '../backend';
import { closedPlaceOf, refuseClosed } from './closedPlaces';
import { type EnterDeps, enterSandbox } from './enterSandbox';
import { mayWrite } from './mayWrite';
import { isTemporary, type PinDeps, type Roots } from './pinRoots';
import { type Network, SandboxError } from './sandbox';
import { type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';

/** All may be read except `denied` and known secrets; only the roots may be written, except `readOnly`. Absolute paths; `/` opens all files. */
export type Permissions = {
  roots: Roots;
  readOnly: readonly string[];
  /** Read-only if it exists, otherwise it may be created. */
  ifThere: readonly string[];
  denied: readonly string[];
  network: Network;
};

/**
 * Resolves the links of the roots; roots that do not exist, or are in a place that is never written, are left out, and so is a TMPDIR that is no folder for
 * temporary files. Throws SandboxError for a root that may not be read.
 */
export const pinPermissions = (deps: PinDeps, permissions: Permissions): Permissions => {
  const { realpath } = deps.files;
  const isForAll = (path: string) => path === '/' || path === realpath('/tmp');
  const resolved = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => realpath(path) ?? []))];
  const writable = (paths: readonly string[]) =>
    resolved(paths).filter((path) => closedPlaceOf(deps, path) === undefined);
  const workspace = writable(permissions.roots.workspace);
  const temporary = writable(permissions.roots.temporary)
    .filter((path) => isForAll(path) || isTemporary(deps, path, workspace))
    .filter((path) => !isWithinAny(workspace, path));
  const denied = resolved(permissions.denied);
  const lost = [...workspace, ...temporary].find((path) => isWithinAny(denied, path));
  if (lost !== undefined) throw new SandboxError(`${lost} may be written, but lies in a path that may not be read`);
  const kept = permissions.ifThere.filter((path) => realpath(path) !== undefined);
  return { ...permissions, roots: { workspace, temporary }, readOnly: [...permissions.readOnly, ...kept], ifThere: [] };
};

/** What every process may do at most. */
type Ceiling = {
  permissions: Permissions;
  /** Whether the ceiling lets an absolute path without links be written. */
  mayWrite: (real: string) => boolean;
};

/** The permissions that both allow; both are pinned. A root of `asked` in a path that the ceiling protects is left out. */
export const limitPermissions = ({ permissions: most, mayWrite }: Ceiling, asked: Permissions): Permissions => {
  const shared = (some: readonly string[], others: readonly string[]): string[] =>
    some.flatMap((a) => others.flatMap((b) => (a === b || isWithin(a, b) ? [b] : refuseInside(mayWrite, a, b))));
  const { workspace, temporary } = most.roots;
  const projects = [
    ...shared(asked.roots.workspace, [...workspace, ...temporary]),
    ...shared(asked.roots.temporary, workspace),
  ];
  const others = shared(asked.roots.temporary, temporary).filter((path) => !isWithinAny(projects, path));
  return {
    roots: { workspace: [...new Set(projects)], temporary: [...new Set(others)] },
    readOnly: [...most.readOnly, ...asked.readOnly],
    ifThere: [],
    denied: [...most.denied, ...asked.denied],
    network: most.network === 'open' ? asked.network : 'closed',
  };
};

/** Another process could put a link in the place of a folder inside a root, while a sandbox is made with it. */
const refuseInside = (mayWrite: Ceiling['mayWrite'], path: string, root: string): never[] => {
  if (!isWithin(root, path) || !mayWrite(path)) return [];
  throw new SandboxError(
    `${path} lies inside the root ${root}: work in ${root}, or start the exec-server with --root ${path} instead`,
  );
};

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
