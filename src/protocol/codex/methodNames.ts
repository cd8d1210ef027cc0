/** The names of the Codex JSON-RPC methods that are served next to MCP. */

/** Source: Codex 0.28.0, `codex generate-ts`. */
const CONVERSATIONS = [
  'newConversation',
  'addConversationListener',
  'removeConversationListener',
  'sendUserMessage',
  'sendUserTurn',
  'interruptConversation',
  'resumeConversation', // of the releases after 0.28.0
  'thread/compact/start', // these two: 0.142.0 and 0.169.0, `codex app-server generate-ts`
  'thread/unsubscribe',
] as const;

const METHODS_028 = [
  'gitDiffToRemote',
  'loginChatGpt',
  'cancelLoginChatGpt',
  'logoutChatGpt',
  'getAuthStatus',
  'getConfigToml',
] as const;

/** Source: the app-server protocol of the releases after 0.28.0; fuzzyFileSearch: 0.142.0, `codex app-server generate-ts`. */
const LATER_METHODS = [
  'listConversations',
  'archiveConversation',
  'getUserSavedConfig',
  'userInfo',
  'execOneOffCommand',
  'fuzzyFileSearch',
] as const;

/** A method about the conversations of the connection, the same that the tools use. */
export type ConversationMethod = (typeof CONVERSATIONS)[number];
/** A method about this machine: its account, its files, config.toml, commands, stored conversations. */
export type MachineMethod = (typeof METHODS_028 | typeof LATER_METHODS)[number];

const OF_CONVERSATIONS: ReadonlySet<string> = new Set(CONVERSATIONS);

/** The names of all Codex methods. */
export const CODEX_METHODS: ReadonlySet<string> = new Set([...CONVERSATIONS, ...METHODS_028, ...LATER_METHODS]);

/** True for the name of a Codex method. */
export const isCodexMethod = (name: string): boolean => CODEX_METHODS.has(name);

/** True for a method about conversations. */
export const isConversationMethod = (name: string): name is ConversationMethod => OF_CONVERSATIONS.has(name);
