/** The form a question takes in `elicitation/create`. */
import { toVisible, toVisibleLines } from '../../../log';
import {
  type CodexEvent,
  DECISIONS,
  type EventMsg,
  type FileChanges,
  type ReviewDecision,
} from '../../../protocol/codex';
import { isObject, type JsonObject } from '../../../protocol/jsonrpc';
import { joinWords } from '../../../text';

const LABELS = {
  run: ['Run it', 'Run it, and this same command again without asking', 'Do not run it', 'Stop the turn'],
  change: ['Change them', 'Change them, and these again without asking', 'Do not change them', 'Stop the turn'],
  agree: ['Yes', 'Yes, and the same again without asking', 'No', 'Stop the turn'],
};

const YES: ReviewDecision = 'approved';

/**
 * The one field of the form. An accepted form without it means: run it. Its default is the same, so that a client shows what accepting
 * means; some fill it into an accepted form, where `denied` would turn a yes into a no. The description explains the values, as some
 * clients show no titles.
 * Source: MCP TypeScript SDK, `elicitation.form.applyDefaults`; Claude Code 2.1.330 and Inspector 2.12, which show and send it.
 */
const schemaOf = (question: string, enumNames: string[]): JsonObject => {
  const meanings = DECISIONS.map((decision, at) => `${decision}: ${enumNames[at]}`);
  const description = `${question} (${meanings.join('; ')})`;
  return {
    type: 'object',
    properties: {
      decision: { type: 'string', title: 'Decision', description, enum: DECISIONS, enumNames, default: YES },
    },
  };
};

/** Source: Codex 0.28.0, tapes patch-approval-*; it named no files. */
export const PATCH_QUESTION = 'Allow Codex to apply proposed code changes?';

/** What is asked, with the members that the original sent. */
type Question = { message: string; requestedSchema: JsonObject; codex: JsonObject };

const toQuestion = (msg: EventMsg): Question => {
  switch (msg.type) {
    case 'exec_approval_request':
      return {
        message: withReason(
          `Allow Codex to run \`${commandText(msg.command)}\` in \`${toVisible(msg.cwd)}\`?`,
          msg.reason,
        ),
        requestedSchema: schemaOf('May the agent run this command?', LABELS.run),
        codex: { codex_elicitation: 'exec-approval', codex_command: msg.command, codex_cwd: msg.cwd },
      };
    case 'apply_patch_approval_request':
      return {
        message: withReason([PATCH_QUESTION, ...filesOf(msg.changes), ...grantOf(msg)].join('\n'), msg.reason),
        requestedSchema: schemaOf('May the agent change these files?', LABELS.change),
        codex: { codex_elicitation: 'patch-approval', codex_changes: msg.changes },
      };
    case 'elicitation_request':
      return {
        message: `${toVisible(msg.server_name)}: ${continued(toVisibleLines(msg.message))}`,
        requestedSchema: msg.requested_schema ?? schemaOf('May the agent do this?', LABELS.agree),
        codex: { codex_elicitation: 'mcp-server', codex_server_name: msg.server_name },
      };
    default:
      throw new TypeError(`${msg.type} is no question`);
  }
};

/** A line for each file that changes, also for one that another becomes. */
const filesOf = (changes: FileChanges): string[] =>
  Object.entries(changes).flatMap(([path, change]) => [
    toVisible(path),
    ...('update' in change && change.update.move_path ? [toVisible(`moved to ${change.update.move_path}`)] : []),
  ]);

/** Codex may ask for a whole folder beside the files. */
const grantOf = ({ grant_root }: { grant_root?: string }): string[] =>
  grant_root ? [toVisible(`and all files in ${grant_root}, without asking again`)] : [];

/** Before each line of a foreign text but the first: no line of it can look like a question of its own. */
const CONTINUED = '  | ';
const continued = (text: string): string => text.replaceAll('\n', `\n${CONTINUED}`);

/** The agent chose the text: line breaks and tabs of a script stay, other control and invisible characters are escaped. */
const commandText = (command: readonly string[]): string =>
  continued(joinWords(command).split('\t').map(toVisibleLines).join('\t'));

const withReason = (question: string, reason: string | undefined): string =>
  reason === undefined ? question : `${question}\n${reason}`;

/**
 * The params of `elicitation/create` for a request for approval. The `codex_…` members are those of the original; the id of
 * the event is that of the call's first request, so a question that is asked again stays the same.
 * Source: Codex 0.28.0 and 0.142.0, tapes exec-approval-* and patch-approval-*.
 */
export const toElicitation = ({ msg, id, threadId }: CodexEvent): JsonObject => {
  const { message, requestedSchema, codex } = toQuestion(msg);
  return {
    message,
    requestedSchema,
    threadId,
    codex_mcp_tool_call_id: id,
    codex_event_id: id,
    ...('call_id' in msg && { codex_call_id: msg.call_id }),
    ...codex,
  };
};

/** True for a question that is a form of its own, and no choice of a decision. */
export const isForm = ({ codex_elicitation, requestedSchema }: JsonObject): boolean =>
  codex_elicitation === 'mcp-server' &&
  isObject(requestedSchema) &&
  !(isObject(requestedSchema.properties) && 'decision' in requestedSchema.properties);
