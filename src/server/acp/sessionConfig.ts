/** What a person may choose in a session: modes, and options. */
import type { ConfigOption, SessionModes } from '../../protocol/acp/acp';
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import type { TurnSettings } from '../../protocol/codex/turnSettings';
import { withoutUndefined } from '../../protocol/jsonrpc/json';
import type { SessionFacts } from '../../protocol/methods/host';

/** The values of a session, and which of them were chosen in it. */
export type Choices = {
  mode: string;
  approvalPolicy: ApprovalPolicy;
  sandbox: SandboxMode;
  model: string;
  effort: string;
  /** What its turns set from the next prompt on. */
  chosen: TurnSettings;
};

type Preset = { id: string; name: string; description: string; approvalPolicy: ApprovalPolicy; sandbox: SandboxMode };

const PRESETS: readonly Preset[] = [
  {
    id: 'read-only',
    name: 'Read only',
    description: 'Reads files; asks before it changes any or runs a command that could',
    approvalPolicy: 'on-request',
    sandbox: 'read-only',
  },
  {
    id: 'auto',
    name: 'Edit the workspace',
    description: 'Changes files of the workspace and runs commands in the sandbox; asks before it leaves the sandbox',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
  },
  {
    id: 'full-access',
    name: 'Full access',
    description: 'Runs every command without asking and without a sandbox',
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
  },
];

/** Any other approval policy and sandbox. */
const CUSTOM = {
  id: 'custom',
  name: 'Custom',
  description: 'The approval policy and the sandbox that are set one by one',
};

const presetOf = ({ approvalPolicy, sandbox }: Pick<Choices, 'approvalPolicy' | 'sandbox'>): string =>
  PRESETS.find((preset) => preset.approvalPolicy === approvalPolicy && preset.sandbox === sandbox)?.id ?? CUSTOM.id;

/** The values that a session begins with. */
export const firstChoices = ({ approvalPolicy, sandboxMode: sandbox, model, effort }: SessionFacts): Choices => ({
  mode: presetOf({ approvalPolicy, sandbox }),
  approvalPolicy,
  sandbox,
  model,
  effort,
  chosen: {},
});

/** The modes that the operator allows. */
export const toModes = (facts: SessionFacts, { mode }: Choices): SessionModes => ({
  currentModeId: mode,
  availableModes: [...PRESETS.filter(isAllowed(facts)), CUSTOM].map(({ id, name, description }) => ({
    id,
    name,
    description,
  })),
});

const isAllowed =
  ({ policies, sandboxModes }: SessionFacts) =>
  ({ approvalPolicy, sandbox }: Preset): boolean =>
    policies.includes(approvalPolicy) && sandboxModes.includes(sandbox);

const POLICY_NAMES: Record<ApprovalPolicy, string> = {
  untrusted: 'Ask before all but harmless commands',
  'on-failure': 'Ask when a command fails in the sandbox',
  'on-request': 'Ask when the agent wants to leave the sandbox',
  never: 'Never ask',
};

const SANDBOX_NAMES: Record<SandboxMode, string> = {
  'read-only': 'Read only',
  'workspace-write': 'Write in the workspace',
  'danger-full-access': 'No sandbox',
};

const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh'];

const selectOf = (option: Omit<ConfigOption, 'type'>): ConfigOption => ({ type: 'select', ...option });

const withCurrent = (values: readonly string[], current: string): string[] => [...new Set([...values, current])];

/** All options with their values. A change applies from the next prompt on. */
export const toOptions = (facts: SessionFacts, choices: Choices): ConfigOption[] => [
  selectOf({
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue: choices.mode,
    options: toModes(facts, choices).availableModes.map(({ id, ...rest }) => ({ value: id, ...rest })),
  }),
  ...modelOptions(facts, choices),
  ...permissionOptions(facts, choices),
];

const modelOptions = (facts: SessionFacts, { model, effort }: Choices): ConfigOption[] => [
  selectOf({
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: model,
    options: withCurrent([facts.model, ...facts.models], model).map((value) => ({ value, name: value })),
  }),
  selectOf({
    id: 'reasoning_effort',
    name: 'Reasoning effort',
    category: 'thought_level',
    currentValue: effort,
    options: withCurrent(EFFORTS, effort).map((value) => ({ value, name: value })),
  }),
];

const permissionOptions = ({ policies, sandboxModes }: SessionFacts, choices: Choices): ConfigOption[] => [
  selectOf({
    id: 'approval_policy',
    name: 'Approval policy',
    category: '_approval_policy',
    currentValue: choices.approvalPolicy,
    options: policies.map((value) => ({ value, name: POLICY_NAMES[value] })),
  }),
  selectOf({
    id: 'sandbox_mode',
    name: 'Sandbox',
    category: '_sandbox_mode',
    currentValue: choices.sandbox,
    options: sandboxModes.map((value) => ({ value, name: SANDBOX_NAMES[value] })),
  }),
];

/** The choices with one value more; undefined if there is no such option, or it has no such value. */
export const choose = (facts: SessionFacts, choices: Choices, [id, value]: [string, unknown]): Choices | undefined => {
  const option = toOptions(facts, choices).find((one) => one.id === id);
  const chosen = option?.options.find((one) => one.value === value);
  return chosen && applied(choices, id, chosen.value);
};

const applied = (choices: Choices, id: string, value: string): Choices => {
  switch (id) {
    case 'mode':
      return withMode(choices, value);
    case 'model':
      return { ...choices, model: value, chosen: { ...choices.chosen, model: value } };
    case 'reasoning_effort':
      return { ...choices, effort: value, chosen: { ...choices.chosen, effort: value } };
    case 'approval_policy':
      return withPermissions(choices, { approvalPolicy: value as ApprovalPolicy });
    default:
      return withPermissions(choices, { sandbox: value as SandboxMode });
  }
};

/** `custom` keeps what is set. */
const withMode = (choices: Choices, id: string): Choices => {
  const { approvalPolicy, sandbox } = PRESETS.find((one) => one.id === id) ?? {};
  return { ...withPermissions(choices, withoutUndefined({ approvalPolicy, sandbox })), mode: id };
};

type Permissions = Pick<Choices, 'approvalPolicy' | 'sandbox'>;

const withPermissions = (choices: Choices, { approvalPolicy, sandbox }: Partial<Permissions>): Choices => {
  const next = {
    approvalPolicy: approvalPolicy ?? choices.approvalPolicy,
    sandbox: sandbox ?? choices.sandbox,
  };
  const set = withoutUndefined({ approvalPolicy, sandbox: sandbox && { mode: sandbox } });
  return { ...choices, ...next, mode: presetOf(next), chosen: { ...choices.chosen, ...set } };
};

/** What a turn of the session sets; undefined if its thread has all of that. */
export const toLasting = (
  { settings }: SessionFacts,
  { chosen }: Choices,
  { isStored }: { isStored: boolean },
): TurnSettings | undefined => {
  const isNeeded = isStored || settings.config !== undefined || Object.keys(chosen).length > 0;
  return isNeeded ? { ...settings, ...chosen } : undefined;
};
