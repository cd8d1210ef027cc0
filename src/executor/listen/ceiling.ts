/** What the operator of an exec-server lets its clients do at most. */
import type { ImposedLimit } from '../backend';
import type { Permissions } from '../sandbox/permissions';
import type { MethodLimits } from '../server/limitMethods';

/** What clients may do at most. */
export type ExecCeiling = {
  methods: MethodLimits;
  /** Limits processes and files. Default: they are as free as the user. */
  sandbox?: Permissions;
};

/** The flags of the command line. */
export type CeilingFlags = {
  sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
  /** Absolute paths; at least one for `workspace-write`. */
  roots: readonly string[];
  allowNetwork: boolean;
  allowMethods: readonly string[];
  denyMethods: readonly string[];
};

/** The ceiling that these flags ask for: what methods may be called, and the sandbox of processes and files. */
export const toCeiling = (flags: CeilingFlags): ExecCeiling => {
  const { sandbox, roots, allowNetwork, allowMethods: allow, denyMethods: deny } = flags;
  if (sandbox === 'danger-full-access') return { methods: { allow, deny, network: 'open' } };
  const network = allowNetwork ? 'open' : 'closed';
  const workspace = sandbox === 'read-only' ? [] : roots;
  return {
    methods: { allow, deny, network },
    sandbox: { roots: { workspace, temporary: [] }, readOnly: [], ifThere: [], denied: [], network },
  };
};

/** What the output of a process that was denied something names as its limit; undefined if nothing limits it. */
export const imposedLimitOf = (sandbox: Permissions | undefined): ImposedLimit | undefined =>
  sandbox && {
    network: sandbox.network,
    text: [hintOf(sandbox), ...(sandbox.network === 'closed' ? [NO_NETWORK] : [])].join(', and '),
  };

const NO_NETWORK = 'without network (--allow-network)';

/** What the error for a file that clients may not write adds. */
export const hintOf = ({ roots: { workspace } }: Permissions): string =>
  workspace.length === 0
    ? 'this exec-server lets its clients write nothing (--sandbox read-only)'
    : `this exec-server lets its clients write in ${workspace.join(', ')} only, less .git and .codex (--root)`;
