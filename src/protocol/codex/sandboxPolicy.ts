/** The sandbox policy of the Codex methods, as it stands on the wire. */
import * as z from 'zod/mini';
import { lazy } from '../../lazy';
import { SANDBOX_MODES, type ThreadSettings } from './settings';

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

type WirePolicy = z.output<ReturnType<typeof WireSandboxPolicy>>;

/** The policy as settings of a thread. Details count in the mode `workspace-write` only. */
export const toSandboxSettings = ({ mode, ...details }: WirePolicy): Pick<ThreadSettings, 'sandbox' | 'config'> => {
  if (mode !== 'workspace-write') return { sandbox: mode };
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  return {
    sandbox: mode,
    config: Object.fromEntries(given.map(([key, value]) => [`sandbox_workspace_write.${key}`, value])),
  };
};
