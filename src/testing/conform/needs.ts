/** What a case needs of a server and of the command line, and why it does not apply without that. */
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { TASKS_EXTENSION } from '../../protocol/mcp/tasks';
import type { Value } from '../messages';

/** A tool that does no harm, and arguments for it. */
export type HarmlessTool = { name: string; arguments: Value };

/** A tool that was called once, and what its call is like. */
export type LearnedTool = HarmlessTool & {
  /** It takes longer than a second. */
  isSlow: boolean;
  /** The request of the client that it makes while it runs, such as `elicitation/create`; undefined if it makes none. */
  asks?: string;
  /** What a client that declares tasks gets: a task that ends by itself, or a task that asks; undefined if it gets none. */
  task?: 'ends' | 'asks';
};

/** A prompt that was sent once, and what the agent did then. */
export type LearnedPrompt = {
  text: string;
  /** The methods of the client that it called. */
  asks: readonly string[];
  /** The kinds of options that it offered when it asked for a permission. */
  options: readonly string[];
};

/** What is known of a server. */
export type Known = {
  /** What it declares at the revision. */
  capabilities: Readonly<Record<string, unknown>>;
  /** Whether it is a process that is started for each session, or behind a URL. */
  kind: 'process' | 'url';
  /** The tools of `--tool`. */
  tools: readonly LearnedTool[];
  /** The prompts of `--prompt`. */
  prompts: readonly LearnedPrompt[];
  /** Whether there are servers of MCP that a session can be given. */
  hasServers: boolean;
};

/** The member of what is known of a server behind a URL that has sessions. */
export const HTTP_SESSION = '$httpSession';

type Row = { isThere: (known: Known) => boolean; missing: string };

const declares = (name: string): Row => ({
  isThere: ({ capabilities }) => name in capabilities,
  missing: `the server declares no ${name}`,
});

const inSession = (name: string): Row => ({
  isThere: ({ capabilities }) => isObject(toObject(capabilities.sessionCapabilities)[name]),
  missing: `the agent does not declare sessionCapabilities.${name}`,
});

const inPrompt = (name: string): Row => ({
  isThere: ({ capabilities }) => toObject(capabilities.promptCapabilities)[name] === true,
  missing: `the agent does not declare promptCapabilities.${name}`,
});

const inMcp = (name: string): Row => ({
  isThere: ({ capabilities }) => toObject(capabilities.mcpCapabilities)[name] === true,
  missing: `the agent does not declare mcpCapabilities.${name}`,
});

const ofSession = (name: string): Row => ({
  isThere: ({ capabilities }) => toObject(capabilities.session)[name] !== undefined,
  missing: `the sessions of the agent have no ${name}`,
});

const hasTool = (fits: (tool: LearnedTool) => boolean, missing: string): Row => ({
  isThere: ({ tools }) => tools.some(fits),
  missing,
});

const tools = {
  tool: [({ asks }: LearnedTool) => asks === undefined, 'no --tool is named that answers by itself'],
  slowTool: [
    ({ isSlow, asks }: LearnedTool) => isSlow && asks === undefined,
    'no --tool is named that takes longer than a second',
  ],
  askingTool: [({ asks }: LearnedTool) => asks !== undefined, 'no --tool is named that asks the client'],
  task: [({ task }: LearnedTool) => task === 'ends', 'no --tool is named whose call becomes a task'],
  askingTask: [({ task }: LearnedTool) => task === 'asks', 'no --tool is named whose task asks the client'],
} as const;

const hasPrompt = (fits: (prompt: LearnedPrompt) => boolean, missing: string): Row => ({
  isThere: ({ prompts }) => prompts.some(fits),
  missing,
});

const asksFor = (method: string) => (prompt: LearnedPrompt) => prompt.asks.includes(method);
const offers = (kind: string) => (prompt: LearnedPrompt) => prompt.options.includes(kind);

const prompts = {
  allowOnce: [offers('allow_once'), 'no --prompt is given at which the agent offers to allow something once'],
  rejectOnce: [offers('reject_once'), 'no --prompt is given at which the agent offers to reject something once'],
  permission: [asksFor('session/request_permission'), 'no --prompt is given at which the agent asks for a permission'],
  readsFiles: [asksFor('fs/read_text_file'), 'no --prompt is given at which the agent reads a file of the client'],
  writesFiles: [asksFor('fs/write_text_file'), 'no --prompt is given at which the agent writes a file of the client'],
  terminals: [asksFor('terminal/create'), 'no --prompt is given at which the agent uses a terminal of the client'],
  prompt: [() => true, 'no --prompt is given'],
} as const;

const NEEDS = {
  process: { isThere: ({ kind }) => kind === 'process', missing: 'the server is not a process of this machine' },
  http: { isThere: ({ kind }) => kind === 'url', missing: 'the server is not behind a URL' },
  httpSession: {
    isThere: ({ capabilities }) => capabilities[HTTP_SESSION] === true,
    missing: 'the server has no sessions',
  },
  tools: declares('tools'),
  prompts: declares('prompts'),
  resources: declares('resources'),
  completions: declares('completions'),
  logging: declares('logging'),
  subscribe: {
    isThere: ({ capabilities }) => toObject(capabilities.resources).subscribe === true,
    missing: 'the server declares no subscriptions to resources',
  },
  changing: {
    isThere: ({ capabilities }) =>
      ['tools', 'prompts', 'resources'].some((name) => {
        const { listChanged, subscribe } = toObject(capabilities[name]);
        return listChanged === true || subscribe === true;
      }),
    missing: 'the server declares nothing that changes',
  },
  tasks: {
    isThere: ({ capabilities }) => isObject(toObject(capabilities.extensions)[TASKS_EXTENSION]),
    missing: 'the server does not declare the extension for tasks',
  },
  tool: hasTool(...tools.tool),
  slowTool: hasTool(...tools.slowTool),
  askingTool: hasTool(...tools.askingTool),
  task: hasTool(...tools.task),
  askingTask: hasTool(...tools.askingTask),
  session: {
    isThere: ({ capabilities }) => isObject(capabilities.session),
    missing: 'the agent opens no session without a login',
  },
  noLogin: {
    isThere: ({ capabilities }) => !isObject(capabilities.session),
    missing: 'the agent opens sessions without a login',
  },
  loadSession: {
    isThere: ({ capabilities }) => capabilities.loadSession === true,
    missing: 'the agent does not declare loadSession',
  },
  noLoadSession: {
    isThere: ({ capabilities }) => capabilities.loadSession !== true,
    missing: 'the agent declares loadSession',
  },
  list: inSession('list'),
  resume: inSession('resume'),
  close: inSession('close'),
  delete: inSession('delete'),
  additionalDirectories: inSession('additionalDirectories'),
  image: inPrompt('image'),
  embeddedContext: inPrompt('embeddedContext'),
  mcpHttp: inMcp('http'),
  mcpSse: inMcp('sse'),
  servers: { isThere: ({ hasServers }) => hasServers, missing: 'there are no servers for a session' },
  modes: ofSession('modes'),
  configOptions: ofSession('configOptions'),
  prompt: hasPrompt(...prompts.prompt),
  permission: hasPrompt(...prompts.permission),
  allowOnce: hasPrompt(...prompts.allowOnce),
  rejectOnce: hasPrompt(...prompts.rejectOnce),
  readsFiles: hasPrompt(...prompts.readsFiles),
  writesFiles: hasPrompt(...prompts.writesFiles),
  terminals: hasPrompt(...prompts.terminals),
} satisfies Record<string, Row>;

/**
 * A need of a case. `process` is a server that is started here, `tool` and the like a tool of `--tool`, `prompt` is `--prompt`; the others are what
 * the server declares.
 */
export type Need = keyof typeof NEEDS;

/** Why a case does not apply; undefined if it does. */
export const missingOf = (needs: readonly Need[], known: Known): string | undefined => {
  const found = needs.find((need) => !NEEDS[need].isThere(known));
  return found && NEEDS[found].missing;
};

/** The tool that a case with these needs calls: the first that fits; undefined if it needs none. */
export const toolFor = (needs: readonly Need[], known: readonly LearnedTool[]): LearnedTool | undefined => {
  const fits = Object.entries(tools).find(([need]) => needs.includes(need as Need))?.[1][0];
  return fits && known.find(fits);
};

/** The same of the prompts; empty if there is none. */
export const promptFor = (needs: readonly Need[], known: readonly LearnedPrompt[]): string => {
  const fits = Object.entries(prompts).find(([need]) => needs.includes(need as Need))?.[1][0];
  return (fits && known.find(fits)?.text) ?? '';
};
