/** What one process may do, before a sandbox is made for it, and how a ceiling limits that. */

import { isWithinAny } from '../../io/paths/relations';
import { isWithin } from '../../streams/text/trim';
import { closedPlaceOf } from './closedPlaces';
import { isTemporary, type PinDeps, type Roots } from './pinRoots';
import { type Network, SandboxError } from './sandbox';

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
export type Ceiling = {
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
