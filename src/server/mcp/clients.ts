/** What is known of clients by name and version, besides their capabilities. */
import { ownOf } from '../../protocol/jsonrpc/json';
import type { ClientInfo, Era } from '../faces/clientInfo';

/**
 * Clients whose models read the text of a result and not its `structuredContent`. A program on the Python SDK that does
 * not name itself is `mcp`: the OpenAI Agents SDK shows its model the text alone. Source: seen with these clients.
 */
const TEXT_ONLY =
  /^(gemini-cli|qwen|opencode|continue|ai-sdk-mcp-client|strands-agents|kilo$|mcp$|@huggingface\/mcp-client|nanocoder|theia-client|@kimuson\/modular-mcp)/i;

/** The first revision with `structuredContent`. Source: 2025-06-18 changelog. */
const FIRST_STRUCTURED = '2025-06-18';

/** True if the model of a client may read `structuredContent`. */
export const readsStructured = ({ revision, client }: Era): boolean =>
  (revision === undefined || revision >= FIRST_STRUCTURED) && !TEXT_ONLY.test(client?.name ?? '');

/** Clients that drop each event, and log it or show it to the person: the AI SDK; mcp.el writes all of it into the echo area of Emacs. */
const REPORTS_EVENTS: readonly (string | undefined)[] = ['ai-sdk-mcp-client', 'mcp-emacs'];

/** A program on the Python SDK that does not name itself. Source: `DEFAULT_CLIENT_INFO` of mcp 1.28.1. */
const PYTHON_SDK: ClientInfo = { name: 'mcp', version: '0.1.0' };

/**
 * False for a client that drops `codex/event` before any program sees it, and reports each one as a fault. Source: mcp 1.28.1 (Python)
 * logs `Failed to validate notification` and 50 lines with it, @ai-sdk/mcp 1.0.101 emits `Unsupported message type`, mcp.el 0.1.0 shows
 * `Received notification` with all of its params.
 */
export const takesEvents = ({ client }: Era): boolean =>
  !REPORTS_EVENTS.includes(client?.name) && (client?.name !== PYTHON_SDK.name || client.version !== PYTHON_SDK.version);

/**
 * The most characters of a result that a client gives its model, if it also reads resources. Claude Code writes a longer one to a file, and gives its
 * model the first 2 KB. Source: seen with 2.1.332, which counts `structuredContent` as JSON.
 */
const MAX_RESULT_CHARS: Readonly<Record<string, number>> = { 'claude-code': 50_000 };

/** The most characters of a result for a client that can read the whole as a resource; undefined if none are known, or if it cannot. */
export const maxResultChars = ({ modern, client }: Era): number | undefined => {
  const name = client?.name ?? '';
  return modern ? ownOf(MAX_RESULT_CHARS, name) : undefined;
};

/** Codex up to this release declares elicitation and never answers a question. Source: codex 0.28.0 as a client. */
const LAST_SILENT_CODEX = 28;

/** Why a client that declared elicitation cannot be asked; undefined if it can. */
export const whySilent = ({ client }: Era): string | undefined => {
  const [, minor] = /^0\.(\d+)\./.exec(client?.version ?? '') ?? [];
  if (client?.name !== 'codex-mcp-client' || minor === undefined || Number(minor) > LAST_SILENT_CODEX) return undefined;
  return `Codex ${client.version} as a client does not answer questions`;
};
