/** The ceiling of calls: the settings on the command line of the server. */
import { APPROVAL_POLICIES, type ApprovalPolicy, SANDBOX_MODES, type SandboxMode } from '../../protocol/codex/settings';
import type { ConfigDeps } from '../deps';
import { getIn, type Path, type Table, toTable } from '../layer';
import { flagLayer } from '../layers/flagLayer';

/** The settings that no call may exceed. */
export type Ceiling = {
  /** What the operator set, by the keys of config.toml. */
  table: Table;
  policy?: ApprovalPolicy;
  mode?: SandboxMode;
  /** The bounds of turns that the operator set anywhere, by their keys; called by the first call that asks for one. */
  bounds: () => Readonly<Record<string, unknown>>;
  /** Names the place of a key in it, for error texts. */
  where: (path: Path) => string;
  /** Approvals do not lead out of the sandbox: the operator asked for a sandbox and for no questions, and the caller is also the one who approves. */
  alwaysSandboxed: boolean;
};

/** @param locked the settings of config.toml and its profile under `--lock`, undefined without it */
export const ceilingOf = (
  deps: Pick<ConfigDeps, 'overrides' | 'model' | 'cwd'>,
  locked: { policy: ApprovalPolicy; mode: SandboxMode; table: Table } | undefined,
): Omit<Ceiling, 'bounds'> => {
  const flags = flagLayer({ ...deps, model: undefined }); // the model is a choice, no limit
  const own = toTable(flags);
  const policy = oneOf(APPROVAL_POLICIES, own.approval_policy) ?? locked?.policy;
  const mode = oneOf(SANDBOX_MODES, own.sandbox_mode) ?? locked?.mode;
  return {
    table: locked === undefined ? own : locked.table,
    ...(policy !== undefined && { policy }),
    ...(mode !== undefined && { mode }),
    where: (path) => {
      const isFlag = getIn(own, path) !== undefined;
      return isFlag
        ? `-c ${path.join('.')} on the server's command line`
        : 'the configuration that --lock makes a ceiling';
    },
    alwaysSandboxed: policy === 'never' && mode !== undefined && mode !== 'danger-full-access',
  };
};

/** A form that only an installed Codex knows counts as the strictest. */
const oneOf = <const T extends string>(values: readonly T[], value: unknown): T | undefined =>
  value === undefined ? undefined : (values.find((one) => one === value) ?? values[0]);

/** A value, or the ceiling if the value is looser. A form that only an installed Codex knows may be looser. */
const below =
  <T extends string>(values: readonly T[]) =>
  (value: T, ceiling: T | undefined): T =>
    ceiling === undefined || (values.includes(value) && values.indexOf(value) <= values.indexOf(ceiling))
      ? value
      : ceiling;

/** The policy, or the ceiling if the policy asks the user less often. */
export const policyBelow = below(APPROVAL_POLICIES);

/** The mode, or the ceiling if the mode lets commands do more. */
export const modeBelow = below(SANDBOX_MODES);
