/** The messages before the user's first one, and the requests to the model. */
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { ResponseItem } from '../../protocol/model/items';
import type { ModelRequest } from '../../protocol/model/request';
import type { Config } from '../../settings/config';
import { isPrompt } from '../../threads/lines/prompts';
import type { Turn } from './steps';
import type { Workspace } from './workspace';

const INSTRUCTIONS = `You are Codex, a coding agent that works in the user's folder through tools.

Finish the task: look at the code before you change it, make the smallest change that does the job in the style of what is there, and check your work by running what the project offers for it (tests, build, linter). Do not commit, do not add licence headers, do not fix what was not asked for; name it instead.

The tool \`shell\` runs one program with its arguments, without a shell; use ["bash", "-lc", "SCRIPT"] for pipes and redirections. Prefer rg to grep and find. Change files with the tool \`apply_patch\`, not with commands. Long output reaches you shortened, so ask for the part you need. Some commands are shown to the user first: when one is declined, do not try to get round it; go on another way or say what you could not do.

Before a group of tool calls say in one sentence what you are about to do. End with a short message: what was done, what was checked and how it came out, what is left. Name files with their paths.`;

const network = ({ sandboxMode, workspaceWrite }: Config): string =>
  sandboxMode === 'danger-full-access' || (sandboxMode === 'workspace-write' && workspaceWrite.networkAccess)
    ? 'enabled'
    : 'restricted';

/** What a model is to know of the place where it works. */
type ContextSources = {
  /** What its thread runs under. */
  config: Config;
  /** Finds the folders that commands may write to, with links resolved; called only in the mode workspace-write. */
  writableRoots: () => readonly string[];
  /** What is known of a machine other than this one. */
  facts?: Workspace['facts'];
};

const ENVIRONMENT = '<environment_context>';

/** Source: Codex 0.28.0, CORE 4.6: one line per fact, known facts only. */
const environment = ({ config, writableRoots, facts = {} }: ContextSources): string =>
  [
    ENVIRONMENT,
    `  <cwd>${config.cwd}</cwd>`,
    `  <approval_policy>${config.approvalPolicy}</approval_policy>`,
    `  <sandbox_mode>${config.sandboxMode}</sandbox_mode>`,
    `  <network_access>${network(config)}</network_access>`,
    ...rootLines(config, writableRoots),
    ...Object.entries(facts).map(([name, value]) => `  <${name}>${value}</${name}>`),
    '</environment_context>',
  ].join('\n');

const rootLines = ({ sandboxMode }: Config, roots: () => readonly string[]): string[] =>
  sandboxMode === 'workspace-write'
    ? ['  <writable_roots>', ...roots().map((root) => `    <root>${root}</root>`), '  </writable_roots>']
    : [];

/** The first items of a conversation. `userInstructions`: the text of the AGENTS.md files, if any. */
export const openingItems = (around: ContextSources, userInstructions: string | undefined): ResponseItem[] => [
  ...(around.config.developerInstructions === undefined
    ? []
    : [toMessage('developer', around.config.developerInstructions)]),
  ...(userInstructions === undefined
    ? []
    : [toMessage('user', `<user_instructions>\n\n${userInstructions}\n\n</user_instructions>`)]),
  toMessage('user', environment(around)),
];

/** The environment as it is now, if the conversation names another; otherwise nothing. */
export const renewedEnvironment = (around: ContextSources, past: readonly ResponseItem[]): ResponseItem[] => {
  const now = environment(around);
  const named = past.findLast((item) => environmentIn(item) !== undefined);
  return named !== undefined && environmentIn(named) === now ? [] : [toMessage('user', now)];
};

/** The developer instructions that a call has given, if the conversation has others, or none; otherwise nothing. */
export const renewedInstructions = (
  { developerInstructions: given }: ThreadSettings,
  past: readonly ResponseItem[],
): ResponseItem[] => {
  if (given === undefined) return [];
  const last = past.findLast((item) => developerText(item) !== undefined);
  return last !== undefined && developerText(last) === given ? [] : [toMessage('developer', given)];
};

/** The text of a message of the developer; undefined for other items. */
export const developerText = (item: ResponseItem): string | undefined =>
  item.type === 'message' && item.role === 'developer'
    ? item.content.map((part) => ('text' in part ? part.text : '')).join('')
    : undefined;

/** The last text of a message that names an environment. */
const environmentIn = (item: ResponseItem): string | undefined => {
  if (item.type !== 'message' || item.role !== 'user') return undefined;
  const part = item.content.findLast((one) => one.type === 'input_text' && one.text.startsWith(ENVIRONMENT));
  return part?.type === 'input_text' ? part.text : undefined;
};

/** True for a message that the engine adds in the user's role: instructions, environment, summary, a note on an empty answer. */
export const isContext = (item: ResponseItem): boolean =>
  item.type === 'message' && item.role === 'user' && !isPrompt(item);

/** One text as a message of the conversation. */
export const toMessage = (role: 'user' | 'developer', text: string): ResponseItem => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});

/** The thread that asks, and the tools that the model may call. */
type Requesting = { thread: Pick<Turn['thread'], 'id' | 'config'>; tools: Pick<Turn['tools'], 'specs'> };

/** Source: Codex 0.153.4, whose requests are stored by Azure only, which knows reasoning by its id. */
const isOfAzure = ({ name, baseUrl = '' }: Config['provider']): boolean =>
  name.toLowerCase() === 'azure' ||
  /openai\.azure\.|cognitiveservices\.azure\.|aoai\.azure\.|azure-api\.|azurefd\.|windows\.net\/openai/i.test(baseUrl);

/** `ultra` is `max` to the model's server, which knows no such word. Source: Codex 0.171.0, requests. */
const sentAs = (effort: Config['reasoningEffort']): string => (effort === 'ultra' ? 'max' : effort);

/** One request to the model: the whole conversation and the tools it may call. */
export const toRequest = (
  { thread: { id, config }, tools }: Requesting,
  input: readonly ResponseItem[],
): ModelRequest => ({
  threadId: id,
  model: config.model,
  instructions: config.baseInstructions ?? INSTRUCTIONS,
  input: [...input],
  tools: [...tools.specs],
  reasoning: config.supportsReasoningSummaries
    ? { effort: sentAs(config.reasoningEffort), summary: config.reasoningSummary }
    : null,
  store: isOfAzure(config.provider) && !config.disableResponseStorage,
  verbosity: config.verbosity,
  ...(config.serviceTier !== undefined && { serviceTier: config.serviceTier }),
  ...(config.maxOutputTokens !== undefined && { maxOutputTokens: config.maxOutputTokens }),
});
