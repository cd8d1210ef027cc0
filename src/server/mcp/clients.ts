/** What is known of clients by their name and version, where their capabilities do not say it. */
import type { Era } from './withClient';

/** Clients whose models read the text of a result and not its `structuredContent`. Source: seen with these clients. */
const TEXT_ONLY = /^(gemini-cli|qwen|opencode|continue|ai-sdk-mcp-client|strands-agents)/i;

/** The first revision with `structuredContent`. Source: 2025-06-18 changelog. */
const FIRST_STRUCTURED = '2025-06-18';

/** True for a client whose model may read `structuredContent`. */
export const readsStructured = ({ revision, client }: Era): boolean =>
  (revision === undefined || revision >= FIRST_STRUCTURED) && !TEXT_ONLY.test(client?.name ?? '');

/** Codex up to this release declares elicitation and never answers a question. Source: codex 0.28.0 as a client. */
const LAST_SILENT_CODEX = 28;

/** Why a client that declared elicitation cannot be asked; undefined where it can. */
export const whySilent = ({ client }: Era): string | undefined => {
  const [, minor] = /^0\.(\d+)\./.exec(client?.version ?? '') ?? [];
  if (client?.name !== 'codex-mcp-client' || minor === undefined || Number(minor) > LAST_SILENT_CODEX) return undefined;
  return `Codex ${client.version} as a client does not answer questions`;
};
