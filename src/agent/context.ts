/** The messages before the first one of the user, and the requests to the model. */
import type { Config } from '../config';
import type { ModelRequest, ResponseItem } from '../protocol/model';
import type { Turn } from './steps';

const INSTRUCTIONS = `You are Codex, a coding agent that works in the user's folder through tools.

Finish the task: look at the code before you change it, make the smallest change that does the job in the style of what is there, and check your work by running what the project offers for it (tests, build, linter). Do not commit, do not add licence headers, do not fix what was not asked for; name it instead.

The tool \`shell\` runs one program with its arguments, without a shell; use ["bash", "-lc", "…"] for pipes and redirections. Prefer rg to grep and find. Change files with the tool \`apply_patch\`, not with commands. Long output reaches you shortened, so ask for the part you need. Some commands are shown to the user first: when one is declined, do not try to get round it; go on another way or say what you could not do.

Before a group of tool calls say in one sentence what you are about to do. End with a short message: what was done, what was checked and how it came out, what is left. Name files with their paths.`;

const network = ({ sandboxMode, workspaceWrite }: Config): string =>
  sandboxMode === 'danger-full-access' || (sandboxMode === 'workspace-write' && workspaceWrite.networkAccess)
    ? 'enabled'
    : 'restricted';

/** Source: Codex 0.28.0, CORE 4.6: one line per fact, only those that are known. */
const environment = (config: Config): string =>
  [
    '<environment_context>',
    `  <cwd>${config.cwd}</cwd>`,
    `  <approval_policy>${config.approvalPolicy}</approval_policy>`,
    `  <sandbox_mode>${config.sandboxMode}</sandbox_mode>`,
    `  <network_access>${network(config)}</network_access>`,
    '</environment_context>',
  ].join('\n');

/** The first items of a conversation. `userInstructions` are those of AGENTS.md files, if any. */
export const openingItems = (config: Config, userInstructions: string | undefined): ResponseItem[] => [
  ...(config.developerInstructions === undefined ? [] : [toMessage('developer', config.developerInstructions)]),
  ...(userInstructions === undefined
    ? []
    : [toMessage('user', `<user_instructions>\n\n${userInstructions}\n\n</user_instructions>`)]),
  toMessage('user', environment(config)),
];

/** A message in the conversation. */
export const toMessage = (role: 'user' | 'developer', text: string): ResponseItem => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});

/** One request to the model: the whole conversation and the tools it may call. */
export const toRequest = (
  { thread: { id, config }, tools }: Pick<Turn, 'thread' | 'tools'>,
  input: readonly ResponseItem[],
): ModelRequest => ({
  threadId: id,
  model: config.model,
  instructions: config.baseInstructions ?? INSTRUCTIONS,
  input: [...input],
  tools: [...tools.specs],
  reasoning: config.supportsReasoningSummaries
    ? { effort: config.reasoningEffort, summary: config.reasoningSummary }
    : null,
  store: !config.disableResponseStorage,
  verbosity: config.verbosity,
  ...(config.maxOutputTokens !== undefined && { maxOutputTokens: config.maxOutputTokens }),
});
