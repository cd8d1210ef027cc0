/** What an agent does, in words: a text for each event that is a step. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { joinWords } from '../../streams/text/words';

const MAX_CHARS = 100;

type Texts = { [T in EventMsg['type']]?: (msg: Extract<EventMsg, { type: T }>) => string };

const TEXTS: Texts = {
  task_started: () => 'thinking',
  agent_message: ({ message }) => message,
  exec_approval_request: ({ command }) => `waiting for approval: ${joinWords(command)}`,
  apply_patch_approval_request: ({ changes }) => `waiting for approval: changes to ${Object.keys(changes).join(', ')}`,
  elicitation_request: ({ message }) => `waiting for an answer: ${message}`,
  patch_apply_begin: ({ changes }) => `changing ${Object.keys(changes).join(', ')}`,
  mcp_tool_call_begin: ({ invocation }) => `calling ${invocation.server}/${invocation.tool}`,
  web_search_end: ({ query }) => `searched: ${query}`,
  exec_command_begin: ({ command }) => `running: ${joinWords(command)}`,
  exec_command_end: ({ exit_code: exitCode }) => `exit code ${exitCode}`,
  plan_update: ({ plan }) => plan.find(({ status }) => status === 'in_progress')?.step ?? 'plan updated',
  background_event: ({ message }) => message,
  stream_error: ({ message }) => message,
};

/** The first line of the text of an event, up to 100 characters; undefined if the event is no step. */
export const stepText = <T extends EventMsg['type']>(msg: Extract<EventMsg, { type: T }>): string | undefined => {
  const toText: Texts[T] = TEXTS[msg.type as T];
  return toText === undefined ? undefined : firstLine(toText(msg));
};

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
};
