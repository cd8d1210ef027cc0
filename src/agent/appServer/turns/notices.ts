/** Warnings, and errors that do not end the turn. */
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { McpStartupStatus } from '../../../protocol/codex/laterMsg';
import { ErrorParams, ErrorTextOrInfo, NoticeParams, read, StartupParams } from '../shapes';
import { emitting } from './turnState';

/** An MCP server that Codex itself starts: how far its start is, and a warning if it failed. Source: codex app-server 0.142.0 and 0.169.0. */
export const startup = emitting((params) => {
  const { name, status, error } = read(StartupParams, params);
  const reason = read(ErrorTextOrInfo, error);
  const update = (about: McpStartupStatus): EventMsg => ({ type: 'mcp_startup_update', server: name, status: about });
  if (status === 'starting' || status === 'ready' || status === 'cancelled') return [update({ state: status })];
  if (status !== 'failed') return [];
  const message = `The MCP server ${name} could not be started${reason && `: ${reason}`}`;
  return [{ type: 'warning', message }, update({ state: 'failed', error: reason })];
});

export const notice = emitting((params) => {
  const { summary, message } = read(NoticeParams, params);
  return [{ type: 'warning', message: summary || message }];
});

/** An error after which the server tries again; a final one ends the turn and is reported at that point. */
export const retried = emitting((params) => {
  const { error, willRetry } = read(ErrorParams, params);
  return willRetry ? [{ type: 'stream_error', message: error.message }] : [];
});
