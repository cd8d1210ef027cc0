/**
 * The table of thread settings, in Codex's own words: one row for each. From it derive the arguments of the tool `codex` in every face, the keys of config.toml
 * that mean the same, the params of `newConversation` and of an installed Codex, and what a rollout keeps.
 */
import type { OldRelease, SettingRow, ValueOf } from './settingRow';

/** When a person is asked before a command runs, from the most to the fewest questions. */
export const APPROVAL_POLICIES = ['untrusted', 'on-failure', 'on-request', 'never'] as const;
/** One of these policies. */
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** What commands may write to without asking: nothing, the workspace, everything. */
export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
/** One of these modes. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

const BOTH: readonly OldRelease[] = ['0.28', '0.153'];

/** A row of a bound of turns, which a call sets in `config`, and may only lower. It is kept here, whatever runs the turn. */
const bound = <const K extends string>(name: K, about: string) =>
  ({
    type: 'whole',
    argument: null,
    key: { name, about, declared: 'in the table' },
    inConversation: false,
    stored: { in: 'codex_rx' },
    appServer: null,
  }) as const satisfies SettingRow;

/** The rows, in the order in which the tool shows its arguments. */
export const THREAD_SETTINGS = {
  /** The name of the model. */
  model: {
    type: 'text',
    argument: {
      name: 'model',
      about: 'Model to use instead of the configured one, for example `gpt-5`.',
      releases: BOTH,
    },
    key: { name: 'model', about: 'Name of the model', declared: 'in the schema' },
    inConversation: true,
    stored: { in: 'turn_context', name: 'model' },
    appServer: { param: 'model' },
  },
  /** How much the model reasons, in the words of config.toml or of a newer model. */
  effort: {
    type: 'text',
    argument: null,
    key: { name: 'model_reasoning_effort', about: 'How much the model reasons', declared: 'in the schema' },
    inConversation: false,
    stored: { in: 'turn_context', name: 'effort' },
    appServer: 'config',
  },
  /** What is shown of the model's reasoning, in the words of config.toml. */
  summary: {
    type: 'text',
    argument: null,
    key: { name: 'model_reasoning_summary', about: 'What is shown of its reasoning', declared: 'in the schema' },
    inConversation: false,
    stored: { in: 'turn_context', name: 'summary' },
    appServer: 'config',
  },
  /** The name of a profile. An installed Codex does not take one, and gets its keys. */
  profile: {
    type: 'text',
    argument: {
      name: 'profile',
      about: 'Name of a profile in config.toml whose settings apply to this thread.',
      releases: ['0.28'],
    },
    key: { name: 'profile', about: 'The profile in use', declared: 'in the schema' },
    inConversation: true,
    stored: { in: 'codex_rx' },
    appServer: null,
  },
  /** The folder that the thread works in, relative to the folder of the server. */
  cwd: {
    type: 'text',
    argument: {
      name: 'cwd',
      about: 'Folder the agent works in; relative to the folder the server was started in. It must exist.',
      releases: BOTH,
    },
    key: null,
    inConversation: true,
    stored: { in: 'turn_context', name: 'cwd' },
    appServer: { param: 'cwd' },
  },
  /** When a person is asked. */
  approvalPolicy: {
    type: APPROVAL_POLICIES,
    argument: {
      name: 'approval-policy',
      about:
        'When the user is asked before a command runs: `untrusted` (all but known harmless commands), `on-failure`, `on-request` (the model decides), `never`.',
      releases: BOTH,
    },
    key: { name: 'approval_policy', about: 'When a person is asked before a command runs', declared: 'in the schema' },
    inConversation: true,
    stored: { in: 'turn_context', name: 'approval_policy' },
    appServer: { param: 'approvalPolicy' },
  },
  /** What commands may write to. A rollout has it with its folders. */
  sandbox: {
    type: SANDBOX_MODES,
    argument: {
      name: 'sandbox',
      about: 'What commands may touch: `read-only`, `workspace-write` (the folder `cwd`), `danger-full-access`.',
      releases: BOTH,
    },
    key: { name: 'sandbox_mode', about: 'What commands may write', declared: 'in the schema' },
    inConversation: true,
    stored: { in: 'turn_context', name: 'sandbox_policy' },
    appServer: { param: 'sandbox' },
  },
  /** Other keys of config.toml, by dotted path; not stored, as they may hold credentials. An installed Codex gets them with the keys of the operator. */
  config: {
    type: 'table',
    argument: {
      name: 'config',
      about: 'Settings that override those of config.toml, by dotted key: `{"model_reasoning_effort": "high"}`.',
      releases: BOTH,
    },
    key: null,
    inConversation: true,
    stored: null,
    appServer: null,
  },
  /** The instructions in place of the built-in ones. */
  baseInstructions: {
    type: 'text',
    argument: { name: 'base-instructions', about: 'Instructions used instead of the built-in ones.', releases: BOTH },
    key: null,
    inConversation: true,
    stored: { in: 'session_meta', name: 'base_instructions' },
    appServer: { param: 'baseInstructions' },
  },
  /** A message of the developer at the beginning of the conversation. */
  developerInstructions: {
    type: 'text',
    argument: {
      name: 'developer-instructions',
      about: 'Instructions added as a message of the developer.',
      releases: ['0.153'],
    },
    key: { name: 'developer_instructions', about: 'Text that follows the base instructions', declared: 'in the table' },
    inConversation: true,
    stored: { in: 'codex_rx' },
    appServer: { param: 'developerInstructions' },
  },
  /** The prompt for a summary of the conversation. */
  compactPrompt: {
    type: 'text',
    argument: {
      name: 'compact-prompt',
      about: 'Prompt used when a long conversation is summarised.',
      releases: ['0.153'],
    },
    key: {
      name: 'compact_prompt',
      about: 'Text that asks the model for a summary of the conversation',
      declared: 'in the table',
    },
    inConversation: true,
    stored: { in: 'codex_rx' },
    appServer: 'config',
  },
  /** Whether the model is offered the tool `update_plan`. An installed Codex has its own. */
  includePlanTool: {
    type: 'flag',
    argument: {
      name: 'include-plan-tool',
      about: 'Offer the model the tool `update_plan`. Default: false.',
      releases: ['0.28'],
    },
    key: null,
    inConversation: true,
    stored: { in: 'codex_rx' },
    appServer: null,
  },
  /** The most tokens of a turn. */
  maxTokensPerTurn: bound('max_tokens_per_turn', 'Tokens after which a turn is stopped'),
  /** The most tokens of a thread. */
  maxTokensPerThread: bound('max_tokens_per_thread', 'Tokens of a thread after which its turns are stopped'),
  /** How often the model may answer in a turn. */
  maxRoundsPerTurn: bound('max_rounds_per_turn', 'Answers of the model after which a turn is stopped'),
  /** How many commands may run in a turn. */
  maxCommandsPerTurn: bound('max_commands_per_turn', 'Commands after which a turn is stopped'),
} as const satisfies Record<string, SettingRow>;

/** The bounds of turns. */
export const BOUNDS = ['maxTokensPerTurn', 'maxTokensPerThread', 'maxRoundsPerTurn', 'maxCommandsPerTurn'] as const;

type Rows = typeof THREAD_SETTINGS;

/** The name of a row: what this program calls the setting. */
export type SettingName = keyof Rows;

/** Settings of a new thread as a caller may give them; an absent one is as configured. */
export type ThreadSettings = { -readonly [N in SettingName]?: ValueOf<Rows[N]['type']> };

/** The settings whose rows have these members. */
export type SettingsWith<R extends Partial<SettingRow>> = {
  [N in SettingName]: Rows[N] extends R ? N : never;
}[SettingName];

const ROWS = Object.entries(THREAD_SETTINGS) as [SettingName, SettingRow][];

/** An object with a member for each row that has one, in the order of the rows. @param toMember its name and its value, or null */
export const fromRows = <T extends object>(
  toMember: (row: SettingRow, name: SettingName) => readonly [name: string, value: unknown] | null,
): T => Object.fromEntries(ROWS.map(([name, row]) => toMember(row, name)).filter((member) => member !== null)) as T;
