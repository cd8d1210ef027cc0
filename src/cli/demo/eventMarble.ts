/** Chooses the marble and the short text of an event of the agent. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { plain, quoted } from './text';

/** `delta` is set where the event is a piece of a text. */
export type EventMarble = { symbol: string; name: string; text: string; delta?: string };

type Draw = (msg: JsonObject) => { symbol: string; text?: string; delta?: string };

const command = (msg: JsonObject): string =>
  Array.isArray(msg.command) ? plain(msg.command.join(' ')) : plain(String(msg.command));

const decoded = (chunk: unknown): string => Buffer.from(String(chunk), 'base64').toString('utf8');

const DRAWN: Record<string, Draw> = {
  session_configured: (msg) => ({ symbol: 'S', text: `${msg.model} of ${msg.model_provider_id}` }),
  task_started: () => ({ symbol: 'B' }),
  agent_message_delta: (msg) => ({ symbol: 'D', delta: String(msg.delta) }),
  agent_message: (msg) => ({ symbol: 'M', text: quoted(msg.message) }),
  exec_approval_request: (msg) => ({ symbol: 'A', text: command(msg) }),
  exec_command_begin: (msg) => ({ symbol: 'X', text: command(msg) }),
  exec_command_output_delta: (msg) => ({ symbol: 'O', delta: decoded(msg.chunk) }),
  exec_command_end: (msg) => ({ symbol: 'E', text: `exit code ${msg.exit_code}` }),
  token_count: (msg) => ({ symbol: 'U', text: `${msg.input_tokens} in, ${msg.output_tokens} out` }),
  task_complete: () => ({ symbol: 'Z' }),
  turn_aborted: (msg) => ({ symbol: 'K', text: String(msg.reason) }),
  error: (msg) => ({ symbol: 'F', text: plain(String(msg.message)) }),
};

/** How an event is drawn; one without a marble of its own gets V. */
export const eventMarble = (msg: JsonObject): EventMarble => {
  const name = String(msg.type);
  const drawn = Object.hasOwn(DRAWN, name) ? DRAWN[name]?.(msg) : undefined;
  return { text: '', ...(drawn ?? { symbol: 'V' }), name: plain(name) };
};
