/** Reads the tool calls of a rollout as the events that a client knows. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { parseObject } from '../../protocol/jsonrpc/parseJson';

/** The beginning of a call: a command where the tool runs one, else the call of a tool. */
export const beginCall = (item: JsonObject): JsonObject => {
  const call_id = String(item.call_id ?? item.id ?? '');
  const { command, cmd, workdir } = parseObject(String(item.arguments)) ?? {};
  const given = command ?? cmd ?? (isObject(item.action) ? item.action.command : undefined);
  const argv = Array.isArray(given) ? given : typeof given === 'string' ? ['bash', '-lc', given] : undefined;
  if (argv) return { type: 'exec_command_begin', call_id, command: argv, cwd: workdir ?? '', parsed_cmd: [] };
  const invocation = { server: 'codex', tool: item.name ?? '', arguments: item.arguments ?? item.input ?? null };
  return { type: 'mcp_tool_call_begin', call_id, invocation };
};

/** The end of a call, with the exit code that its output names. */
export const endCall = ({ call_id, output }: JsonObject): JsonObject => {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  const { output: inner, metadata } = parseObject(String(text)) ?? {};
  const stdout = typeof inner === 'string' ? inner : text;
  const code = isObject(metadata)
    ? metadata.exit_code
    : /^(?:Exit code|Process exited with code):? (-?\d+)/m.exec(text)?.[1];
  return {
    type: 'exec_command_end',
    call_id: String(call_id ?? ''),
    stdout,
    stderr: '',
    aggregated_output: stdout,
    exit_code: Number(code ?? 0),
    duration: { secs: 0, nanos: 0 },
    formatted_output: stdout,
  };
};
