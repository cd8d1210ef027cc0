/** The clients of MCP and ACP that can be given an entry for a server: where their files lie, and what an entry looks like there. */
import { posix, win32 } from 'node:path';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { type Format, jsonFormat, tomlFormat } from './formats';
import { elispFormat, luaFormat } from './scriptFormat';

/** A client: where its file lies, and what the entry of a server is there. */
export type Client = {
  /** Its name for people. */
  title: string;
  /** Where its file may lie, the usual place last; a word after `$` is a folder, see foldersOf. */
  files: readonly string[];
  /** Files, folders or programs (`$PATH/name`) of which any shows that the client is installed; default: the folder of the file. */
  signs?: readonly string[];
  format: Format;
  /** The table of servers. */
  servers: string;
  /** Our entry: its name, and the command of this program that it starts. */
  own: { name: string; command: 'mcp-server' | 'acp' };
  /** The member of an entry with the variables of the server. */
  env: string;
  /** What else an entry of this client has. */
  extra: JsonObject;
  /** How a command line is written: the program apart, or as one list. */
  command: 'apart' | 'list';
  /** What a person does after a change; `$FILE` is its path. */
  after: string;
  /** What a person does after an undo; default: the same. */
  afterUndo?: string;
  /** What else a person should know of the entry that starts this server; default: nothing. */
  advice?: string;
};

const usual = {
  format: jsonFormat,
  servers: 'mcpServers',
  own: { name: 'codex', command: 'mcp-server' },
  env: 'env',
  extra: {},
  command: 'apart',
  after: 'Restart the client',
} as const;

/** What editors that speak ACP have in common. */
const agent = { ...usual, servers: 'agent_servers', own: { name: 'codex-rx', command: 'acp' } } as const;

/** Begins the sign of a program. */
const IN_PATH = '$PATH/';

/** An hour, as long as the server lets a turn run. */
const HOUR_S = 3_600;

/** The clients by their names on the command line. Source: docs/clients.md, and the documentation of the clients. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': {
    ...usual,
    title: 'Claude Code',
    files: ['$CLAUDE/.claude.json'],
    signs: ['$CLAUDE/.claude.json'],
    extra: { type: 'stdio' },
    after: 'Begin a new session',
    advice: 'set MCP_TOOL_TIMEOUT=3600000 for long turns',
  },
  'claude-desktop': { ...usual, title: 'Claude Desktop', files: ['$CONFIG/Claude/claude_desktop_config.json'] },
  cursor: { ...usual, title: 'Cursor', files: ['$HOME/.cursor/mcp.json'] },
  vscode: {
    ...usual,
    title: 'VS Code',
    files: ['$CONFIG/Code/User/mcp.json'],
    servers: 'servers',
    extra: { type: 'stdio' },
  },
  zed: {
    ...usual,
    title: 'Zed',
    files: ['$ZED/settings.json'],
    servers: 'context_servers',
    extra: { source: 'custom' },
    advice: 'codex-rx init zed-acp adds it as an agent of its own, with a panel',
  },
  windsurf: { ...usual, title: 'Windsurf', files: ['$HOME/.codeium/windsurf/mcp_config.json'] },
  gemini: {
    ...usual,
    title: 'Gemini CLI',
    files: ['$HOME/.gemini/settings.json'],
    extra: { timeout: HOUR_S * 1_000 },
    after: 'Begin a new session',
    advice: '"trust": true in the entry lets it call the tools without a question',
  },
  opencode: {
    ...usual,
    title: 'opencode',
    files: ['$XDG/opencode/opencode.jsonc', '$XDG/opencode/opencode.json'],
    servers: 'mcp',
    env: 'environment',
    extra: { type: 'local', enabled: true },
    command: 'list',
  },
  codex: {
    ...usual,
    title: 'Codex',
    files: ['$CODEX/config.toml'],
    signs: [`${IN_PATH}codex`, '$CODEX/auth.json', '$CODEX/version.json'], // codex-rx makes the folder too
    format: tomlFormat,
    servers: 'mcp_servers',
    extra: { tool_timeout_sec: HOUR_S, default_tools_approval_mode: 'approve' },
    after: 'Begin a new session',
    advice: 'the key of the model belongs in env of the entry',
  },
  copilot: {
    ...usual,
    title: 'Copilot CLI',
    files: ['$COPILOT/mcp-config.json'],
    extra: { type: 'local', tools: ['*'] },
  },
  jetbrains: {
    ...usual,
    title: 'JetBrains Junie',
    files: ['$HOME/.junie/mcp/mcp.json'],
    advice: 'codex-rx init jetbrains-acp adds it as an agent of its own, next to Junie',
  },
  'zed-acp': { ...agent, title: 'Zed (agents)', files: ['$ZED/settings.json'], extra: { type: 'custom' } },
  neovim: {
    ...agent,
    title: 'Neovim (CodeCompanion)',
    files: ['$NVIM/lua/codex_rx.lua'],
    signs: ['$NVIM'],
    format: luaFormat,
    after: 'Add to the setup of CodeCompanion: adapters = { acp = { codex = require("codex_rx").adapter } }',
    afterUndo: 'Take its line out of the setup of CodeCompanion',
  },
  emacs: {
    ...agent,
    title: 'Emacs (agent-shell)',
    files: ['$XDG/codex-rx/agent-shell.el'], // a new ~/.emacs.d would hide the init file of ~/.config/emacs
    signs: ['$HOME/.emacs.d', '$HOME/.emacs', '$XDG/emacs'],
    format: elispFormat,
    after: 'Add to the init file of Emacs: (load "$FILE")',
    afterUndo: 'Take its line out of the init file of Emacs',
  },
  'jetbrains-acp': { ...agent, title: 'JetBrains (agents)', files: ['$HOME/.jetbrains/acp.json'] },
};

/** Facts of the machine that decide where files lie. */
export type Machine = {
  /** As Node names it. */
  platform: string;
  /** Absolute. */
  home: string;
  /** Absolute. */
  codexHome: string;
  env: Readonly<Record<string, string | undefined>>;
};

/** The folders that the table names. */
const foldersOf = ({ platform, home, codexHome, env }: Machine): Record<string, string> => {
  const XDG = env.XDG_CONFIG_HOME || `${home}/.config`;
  const roaming = env.APPDATA || `${home}/AppData/Roaming`;
  return {
    HOME: home,
    XDG,
    CONFIG: { win32: roaming, darwin: `${home}/Library/Application Support` }[platform] ?? XDG,
    NVIM: platform === 'win32' ? `${env.LOCALAPPDATA || `${home}/AppData/Local`}/nvim` : `${XDG}/nvim`,
    ZED: { win32: `${roaming}/Zed`, darwin: `${home}/.config/zed` }[platform] ?? `${XDG}/zed`,
    CLAUDE: env.CLAUDE_CONFIG_DIR || home,
    COPILOT: env.COPILOT_HOME || `${home}/.copilot`,
    CODEX: codexHome,
  };
};

/** Where the file of a client lies on a machine. */
type Place = {
  /** The places of the file, the usual one last. */
  files: readonly string[];
  /** Any of them is there if the client is installed. */
  signs: readonly string[];
};

export const placeOf = (machine: Machine, { files, signs }: Client): Place => {
  const isWindows = machine.platform === 'win32';
  const { normalize, dirname, delimiter, join } = isWindows ? win32 : posix;
  const folders = foldersOf(machine);
  const toPath = (text: string): string =>
    normalize(text.replace(/^\$([A-Z]+)/, (_, name: string) => folders[name] ?? ''));
  const toPrograms = (name: string): string[] =>
    (machine.env.PATH ?? machine.env.Path ?? '')
      .split(delimiter)
      .filter(Boolean)
      .flatMap((folder) => (isWindows ? ['.exe', '.cmd'] : ['']).map((ending) => join(folder, name + ending)));
  const toSigns = (text: string): string[] =>
    text.startsWith(IN_PATH) ? toPrograms(text.slice(IN_PATH.length)) : [toPath(text)];
  const paths = files.map(toPath);
  return { files: paths, signs: signs?.flatMap(toSigns) ?? [dirname(paths.at(-1) ?? '')] };
};
