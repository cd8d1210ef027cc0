/** The sandbox policy of the Codex methods, as it appears on the wire. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { SANDBOX_MODES } from './settings';
import type { SandboxPolicy } from './turnSettings';

const flag = () => z.optional(z.boolean());

/** Source: Codex 0.28.0, WIRE 10: `sandboxPolicy` of sendUserTurn, in snake_case. */
export const WireSandboxPolicy = lazy(() =>
  z.object({
    mode: z.enum(SANDBOX_MODES),
    writable_roots: z.optional(z.array(z.string())),
    network_access: flag(),
    exclude_tmpdir_env_var: flag(),
    exclude_slash_tmp: flag(),
  }),
);

/** The policy in the shape of the settings. Details count only in the mode `workspace-write`. */
export const toSandboxPolicy = ({ mode, ...details }: z.output<ReturnType<typeof WireSandboxPolicy>>): SandboxPolicy =>
  mode === 'workspace-write'
    ? {
        mode,
        writableRoots: details.writable_roots,
        networkAccess: details.network_access,
        excludeTmpdirEnvVar: details.exclude_tmpdir_env_var,
        excludeSlashTmp: details.exclude_slash_tmp,
      }
    : { mode };
