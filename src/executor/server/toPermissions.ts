/** The restrictions that a client sets, as permissions of a process. */
import type * as z from 'zod/mini';
import type { SandboxParams } from '../../protocol/exec/sandboxParams';
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import type { Permissions } from '../sandbox/permissions';
import { toPath } from '../toPath';

type Sandbox = z.output<ReturnType<typeof SandboxParams>>;
type Managed = Extract<Sandbox['permissions'], { type: 'managed' }>;
type Entry = Extract<Managed['file_system'], { type: 'restricted' }>['entries'][number];
type Special = Extract<Entry['path'], { type: 'special' }>['value'];

/** How a client wants a process, or access to files, to be restricted. */
type Restrictions = { sandbox?: Sandbox | null; enforceManagedNetwork?: boolean | null };

/** The folders of the exec-server. */
export type PermissionsDeps = {
  /** TMPDIR of the exec-server; the client calls it `tmpdir`. */
  tmpdir: string | undefined;
};

/** Undefined if nothing is restricted. Throws RpcError for a restriction that cannot be enforced, rather than ignore it. */
export const toPermissions = (
  { tmpdir }: PermissionsDeps,
  { sandbox, enforceManagedNetwork }: Restrictions,
): Permissions | undefined => {
  if (enforceManagedNetwork) throw unsupported('enforceManagedNetwork: it has no proxy for a managed network');
  if (sandbox?.permissions.type !== 'managed') return undefined;
  const { file_system: files, network } = sandbox.permissions;
  const common = {
    readOnly: [],
    ifThere: [],
    denied: [],
    network: network === 'enabled' ? ('open' as const) : ('closed' as const),
  };
  if (files.type === 'unrestricted') {
    return network === 'enabled' ? undefined : { ...common, roots: { workspace: [], temporary: ['/'] } };
  }
  const named = files.entries.flatMap((entry) =>
    pathsOf({ sandbox, tmpdir }, entry).map((path) => ({ ...path, access: entry.access, ifThere: isOptional(entry) })),
  );
  return { ...common, ...rulesOf(named) };
};

const unsupported = (what: string): RpcError =>
  new RpcError(INTERNAL_ERROR, `this exec-server does not support ${what}`);

type Named = {
  path: string;
  /** The folder holds no project. */
  temporary: boolean;
};

const isOptional = ({ missing_path_behavior }: Entry): boolean => missing_path_behavior === 'skip';

const rulesOf = (
  named: readonly (Named & Pick<Entry, 'access'> & { ifThere: boolean })[],
): Omit<Permissions, 'network'> => {
  const byAccess = (...accesses: Entry['access'][]) => named.filter(({ access }) => accesses.includes(access));
  const toTexts = (some: readonly Named[]) => some.map(({ path }) => path);
  const readOnly = byAccess('read').filter(({ path }) => path !== '/');
  const [writable, denied] = [byAccess('write'), toTexts(byAccess('none', 'deny'))];
  if (denied.includes('/') || !toTexts(byAccess('read', 'write')).includes('/')) {
    throw unsupported('a sandbox that may not read the whole file system; give it the entry root with access read');
  }
  return {
    roots: {
      workspace: toTexts(writable.filter(({ temporary }) => !temporary)),
      temporary: toTexts(writable.filter(({ temporary }) => temporary)),
    },
    readOnly: toTexts(readOnly.filter(({ ifThere }) => !ifThere)),
    ifThere: toTexts(readOnly.filter(({ ifThere }) => ifThere)),
    denied,
  };
};

type Place = { sandbox: Sandbox; tmpdir: string | undefined };

const pathsOf = (place: Place, { path, access }: Entry): Named[] => {
  switch (path.type) {
    case 'path':
      return [{ path: trimmed(toPath(path.path, 'path')), temporary: false }];
    case 'glob_pattern':
      throw unsupported(`a glob in a sandbox: ${path.pattern}; name the paths`);
    case 'special':
      if (path.value.kind !== 'unknown') return specialPaths(place, path.value);
      if (access === 'none' || access === 'deny') throw unsupported('an unknown special path with access none');
      return [];
  }
};

const specialPaths = ({ sandbox, tmpdir }: Place, { kind, subpath }: Special): Named[] => {
  switch (kind) {
    case 'root':
      return [{ path: '/', temporary: true }];
    case 'slash_tmp':
      return [{ path: '/tmp', temporary: true }];
    case 'tmpdir':
      return tmpdir?.startsWith('/') ? [{ path: trimmed(tmpdir), temporary: true }] : [];
    case 'current_working_directory':
    case 'project_roots':
      return projectsOf(sandbox).map((root) => ({ path: below(root, subpath ?? ''), temporary: false }));
    default:
      return []; // what every program needs may be read anyway
  }
};

/** The folder of the process does not count, as a model may have chosen it. */
const projectsOf = ({ cwd, workspaceRoots }: Sandbox): string[] => {
  const named = workspaceRoots?.length ? workspaceRoots : cwd ? [cwd] : [];
  if (named.length === 0) {
    throw new RpcError(INVALID_PARAMS, 'sandbox needs cwd or workspaceRoots, because an entry refers to the project');
  }
  return named.map((path) => trimmed(toPath(path, 'sandbox.cwd')));
};

const below = (root: string, subpath: string): string => {
  const names = subpath.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new RpcError(INVALID_PARAMS, `sandbox subpath leads out of its root: ${subpath}`);
  return trimmed([root === '/' ? '' : root, ...names].join('/'));
};

const trimmed = (path: string): string => path.replace(/(?<=.)(?<!.\/)\/+$/, '');
