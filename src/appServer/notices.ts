/** Warnings, and errors that do not end the turn. */
import { ErrorParams, ErrorTextOrInfo, NoticeParams, read, StartupParams } from './shapes';
import { emitting } from './turnState';

/** An MCP server of the engine's own; only a failure is reported. */
export const startup = emitting((params) => {
  const { name, status, error } = read(StartupParams, params);
  if (status !== 'failed') return [];
  const reason = read(ErrorTextOrInfo, error);
  return [{ type: 'warning', message: `The MCP server ${name} could not be started${reason && `: ${reason}`}` }];
});

export const notice = emitting((params) => {
  const { summary, message } = read(NoticeParams, params);
  return [{ type: 'warning', message: summary || message }];
});

/** An error after which the server tries again; a final one ends the turn and is reported then. */
export const retried = emitting((params) => {
  const { error, willRetry } = read(ErrorParams, params);
  return willRetry ? [{ type: 'stream_error', message: error.message }] : [];
});
