/** The first line of a rollout that this program writes. */

import type { SessionMeta } from './lines/rolloutEntry';
import type { ThreadStart } from './threadStore';

/**
 * Its `source` is one whose threads Codex lists by default. Source: codex 0.142.0 and 0.169.0, threads of its app-server.
 * @param version that of this program
 */
export const toSessionMeta = (
  { version }: { version: string },
  start: ThreadStart,
  startedMs: number,
): SessionMeta => ({
  id: start.id,
  session_id: start.id,
  timestamp: new Date(startedMs).toISOString(),
  cwd: start.cwd,
  originator: 'codex_rx',
  cli_version: version,
  source: 'vscode',
  model_provider: start.provider,
  ...(start.baseInstructions !== undefined && { base_instructions: { text: start.baseInstructions } }),
  codex_rx: start.own,
});
