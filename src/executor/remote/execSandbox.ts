/** The sandbox of a thread in the terms of an exec-server, which enforces it. */
import type { ExecSandbox } from '../../protocol/exec/sandboxParams';
import { namedPlaceOf } from '../sandbox/closedPlaces';
import type { SandboxSettings } from '../sandbox/pinRoots';
import { toUri } from '../toPath';

type Entry = Extract<
  Extract<ExecSandbox['permissions'], { type: 'managed' }>['file_system'],
  { type: 'restricted' }
>['entries'][number];
type Special = Extract<Entry['path'], { type: 'special' }>['value']['kind'];

const special = (kind: Special, access: Entry['access'], subpath?: string): Entry => ({
  path: { type: 'special', value: { kind, ...(subpath !== undefined && { subpath }) } },
  access,
});

const managed = (entries: Entry[], network: 'enabled' | 'restricted'): ExecSandbox['permissions'] => ({
  type: 'managed',
  file_system: { type: 'restricted', entries: [special('root', 'read'), ...entries] },
  network,
});

/** Everything but known secrets may be read, nothing may be written, no network. */
export const READ_ONLY: ExecSandbox = { permissions: managed([], 'restricted'), windowsSandboxLevel: 'disabled' };

/** The folders that configure git and Codex stay read-only in a project, if they exist. */
const PROTECTED = ['.git', '.codex'].map(
  (name): Entry => ({ ...special('project_roots', 'read', name), missing_path_behavior: 'skip' }),
);

/** The folders that may be written; never the whole file system, nor a folder that configures git or Codex. */
export const rootsOf = ({ cwd, writableRoots }: Pick<SandboxSettings, 'cwd' | 'writableRoots'>): string[] =>
  [cwd, ...writableRoots].filter((root) => root !== '/' && namedPlaceOf(root) === undefined);

/**
 * What the settings of a thread allow; paths are of the exec-server's machine. The server resolves their links and leaves out paths that do not exist.
 * Source: codex exec-server 0.142.0 and 0.169.0.
 */
export const toExecSandbox = (settings: Omit<SandboxSettings, 'tmpdir'>): ExecSandbox => {
  if (settings.mode === 'read-only') return READ_ONLY;
  const { cwd, networkAccess, excludeSlashTmp, excludeTmpdirEnvVar } = settings;
  const roots = rootsOf(settings);
  const entries = [
    ...(roots.length === 0 ? [] : [special('project_roots', 'write'), ...PROTECTED]), // an empty list means the folder of the command
    ...(excludeSlashTmp ? [] : [special('slash_tmp', 'write')]),
    ...(excludeTmpdirEnvVar ? [] : [special('tmpdir', 'write')]),
  ];
  return {
    ...READ_ONLY,
    permissions: managed(entries, networkAccess ? 'enabled' : 'restricted'),
    cwd: toUri(cwd),
    workspaceRoots: roots.map(toUri),
  };
};
