/** Owns the short human text that goes with progress. */
import type { EventMsg } from '../../protocol/codex';
import { joinWords } from '../../text';

const MAX_CHARS = 100;

const short = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] as string;
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
};

/** What a person wants to hear of an event, or undefined when it is no news. */
export const progressText = (msg: EventMsg): string | undefined => {
  switch (msg.type) {
    case 'task_started':
      return 'thinking';
    case 'agent_message':
      return short(msg.message);
    case 'exec_approval_request':
      return short(`waiting for approval: ${joinWords(msg.command)}`);
    case 'apply_patch_approval_request':
      return short(`waiting for approval: changes to ${Object.keys(msg.changes).join(', ')}`);
    case 'elicitation_request':
      return short(`waiting for an answer: ${msg.message}`);
    case 'patch_apply_begin':
      return short(`changing ${Object.keys(msg.changes).join(', ')}`);
    case 'mcp_tool_call_begin':
      return short(`calling ${msg.invocation.server}/${msg.invocation.tool}`);
    case 'web_search_end':
      return short(`searched: ${msg.query}`);
    case 'exec_command_begin':
      return short(`running: ${joinWords(msg.command)}`);
    case 'exec_command_end':
      return `exit code ${msg.exit_code}`;
    case 'plan_update':
      return short(msg.plan.find(({ status }) => status === 'in_progress')?.step ?? 'plan updated');
    case 'background_event':
    case 'stream_error':
      return short(msg.message);
    default:
      return undefined;
  }
};
