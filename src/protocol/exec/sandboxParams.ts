/**
 * The schema of `sandbox`, the restrictions that a client sets for a process or for access to files.
 * Source: codex exec-server 0.142.0 and 0.169.0: how they respond to params that fit and that do not, and what their clients send; `deny` is
 * the newer name of `none`, and `missing_path_behavior: skip` is of 0.169.0.
 */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';

const SpecialPath = lazy(() =>
  z.object({
    kind: z.enum(['root', 'minimal', 'current_working_directory', 'project_roots', 'tmpdir', 'slash_tmp', 'unknown']),
    subpath: z.nullish(z.string()),
  }),
);

const EntryPath = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('path'), path: z.string() }),
    z.object({ type: z.literal('glob_pattern'), pattern: z.string() }),
    z.object({ type: z.literal('special'), value: SpecialPath() }),
  ]),
);

const Entry = lazy(() =>
  z.object({
    path: EntryPath(),
    access: z.enum(['read', 'write', 'deny', 'none']),
    missing_path_behavior: z.nullish(z.string()),
  }),
);

const FileSystem = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('unrestricted') }),
    z.object({ type: z.literal('restricted'), entries: z.array(Entry()) }),
  ]),
);

const Permissions = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('disabled') }),
    z.object({ type: z.literal('external') }),
    z.object({ type: z.literal('managed'), file_system: FileSystem(), network: z.enum(['restricted', 'enabled']) }),
  ]),
);

/** `cwd` and `workspaceRoots`: absolute paths or `file:` URIs. The original requires `windowsSandboxLevel`, which nothing here reads. */
export const SandboxParams = lazy(() =>
  z.object({
    permissions: Permissions(),
    cwd: z.nullish(z.string()),
    workspaceRoots: z.nullish(z.array(z.string())),
    windowsSandboxLevel: z.nullish(z.string()),
  }),
);

/** The restrictions of a process, or of access to files. */
export type ExecSandbox = z.input<ReturnType<typeof SandboxParams>>;
