/** Owns the form a question takes, and reading what came back. */
import {
  DECISIONS,
  isObject,
  type JsonObject,
  type Response,
  type ReviewDecision,
  type Told,
  type Verdict,
} from '../../protocol';
import type { Call } from './command';

const LABELS = ['Run it', 'Run it, and this same command again without asking', 'Do not run it', 'Stop the turn'];

/** The one field of the form. An accepted form without it means: run it. */
const REQUESTED_SCHEMA = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Decision',
      description: 'May the agent run this command?',
      enum: DECISIONS,
      enumNames: LABELS,
    },
  },
};

/** A word as a shell would take it. */
const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** A command as one would type it. */
export const toShellLine = (command: readonly string[]): string => command.map(quote).join(' ');

/**
 * The params of `elicitation/create` for a request for approval. The `codex_…` members are those of the original.
 * Source: Codex 0.28.0 and 0.142.0, tapes exec-approval-*.
 */
export const toElicitation = ({ msg, id, threadId }: Told, { id: requestId }: Call): JsonObject => {
  if (msg.type !== 'exec_approval_request') throw new TypeError(`${msg.type} is no question`);
  const question = `Allow Codex to run \`${toShellLine(msg.command)}\` in \`${msg.cwd}\`?`;
  return {
    message: msg.reason === undefined ? question : `${question}\n${msg.reason}`,
    requestedSchema: REQUESTED_SCHEMA,
    threadId,
    codex_elicitation: 'exec-approval',
    codex_mcp_tool_call_id: String(requestId),
    codex_event_id: id,
    codex_call_id: msg.call_id,
    codex_command: msg.command,
    codex_cwd: msg.cwd,
  };
};

const isDecision = (value: unknown): value is ReviewDecision => DECISIONS.includes(value as ReviewDecision);

/**
 * What an answer comes to; undefined when it cannot be understood. The old `{decision}` goes before the
 * standard `{action, content}`; an accepted form may leave the decision out, but holds nothing else instead.
 * Source: MCP client/elicitation "Response Actions"; Codex 0.28.0 tapes exec-approval-spec-both.
 */
export const toVerdict = (result: unknown): Verdict | undefined => {
  if (!isObject(result)) return undefined;
  const { decision, action, content } = result;
  if (isDecision(decision)) return { decision };
  if (action === 'decline') return { decision: 'denied' };
  if (action === 'cancel') return { decision: 'abort', reason: 'the question was dismissed' };
  if (action !== 'accept') return undefined;
  if (content === undefined || content === null) return { decision: 'approved' };
  if (!isObject(content)) return undefined;
  if (isDecision(content.decision)) return { decision: content.decision };
  return Object.keys(content).length === 0 ? { decision: 'approved' } : undefined;
};

/** What a response to a question comes to, whatever it holds. */
export const verdictOf = (response: Response): Verdict => {
  if ('error' in response) {
    const { code, message } = response.error;
    return { decision: 'denied', reason: `the client answered the question with error ${code}: ${message}` };
  }
  return (
    toVerdict('result' in response ? response.result : undefined) ?? {
      decision: 'denied',
      reason: 'the answer of the client could not be understood',
    }
  );
};
