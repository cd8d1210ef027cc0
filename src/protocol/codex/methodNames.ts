/** The names of the Codex JSON-RPC methods that are served beside MCP. */

/** Source: Codex 0.28.0, `codex generate-ts`. */
const METHODS_028 = [
  'newConversation',
  'addConversationListener',
  'removeConversationListener',
  'sendUserMessage',
  'sendUserTurn',
  'interruptConversation',
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
  'resumeConversation',
  'archiveConversation',
  'getUserSavedConfig',
  'userInfo',
  'execOneOffCommand',
  'fuzzyFileSearch',
] as const;

type CodexMethodName = (typeof METHODS_028)[number] | (typeof LATER_METHODS)[number];

const NAMES: ReadonlySet<string> = new Set([...METHODS_028, ...LATER_METHODS]);

/** True for the name of a Codex method. */
export const isCodexMethod = (name: string): name is CodexMethodName => NAMES.has(name);
