/** The form a question takes in `elicitation/create`. */
import { toVisible, toVisibleLines } from '../../io/log/toPlain';
import type { EventMsg, FileChanges } from '../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../protocol/codex/events';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { clip } from '../../streams/text/trim';
import { joinWords } from '../../streams/text/words';
import { type AskedClient, decisionForm } from './decisionForm';

const LABELS = {
  run: ['Run it', 'Run it, and this same command again without asking', 'Do not run it', 'Stop the turn'],
  change: ['Change them', 'Change them, and these again without asking', 'Do not change them', 'Stop the turn'],
  agree: ['Yes', 'Yes, and the same again without asking', 'No', 'Stop the turn'],
};

/** Source: Codex 0.28.0, tapes patch-approval-*; it named no files. */
export const PATCH_QUESTION = 'Allow Codex to apply proposed code changes?';

/** What is asked, with the members that the original sent. */
type Question = { message: string; requestedSchema: JsonObject; codex: JsonObject };

const toQuestion = (client: AskedClient, msg: EventMsg): Question => {
  switch (msg.type) {
    case 'exec_approval_request':
      return ofCommand(client, msg);
    case 'apply_patch_approval_request':
      return ofPatch(client, msg);
    case 'elicitation_request':
      return {
        message: `${toVisible(msg.server_name)}: ${continued(toVisibleLines(msg.message))}`,
        requestedSchema:
          formOf(msg) ??
          decisionForm(client, `${clip(toVisible(msg.message), MAX_HEAD)} May the agent do this?`, LABELS.agree),
        codex: { codex_elicitation: 'mcp-server', codex_server_name: msg.server_name },
      };
    default:
      throw new TypeError(`${msg.type} is no question`);
  }
};

type Msg<T> = Extract<EventMsg, { type: T }>;

const ofCommand = (client: AskedClient, { command, cwd, reason }: Msg<'exec_approval_request'>): Question => {
  const { head, rest } = commandTexts(command);
  const question = [`Allow Codex to run \`${head}\` in \`${toVisible(cwd)}\`?`, ...rest].join('\n');
  return {
    message: withReason(question, reason),
    requestedSchema: decisionForm(client, `${head}: may the agent run this command?`, LABELS.run),
    codex: { codex_elicitation: 'exec-approval', codex_command: command, codex_cwd: cwd },
  };
};

const ofPatch = (client: AskedClient, msg: Msg<'apply_patch_approval_request'>): Question => {
  const files = filesOf(msg.changes);
  const about = [clip(files.join(', '), MAX_HEAD), 'may the agent change these files?'].filter(Boolean).join(': ');
  return {
    message: withReason([PATCH_QUESTION, ...files, ...grantOf(msg)].join('\n'), msg.reason),
    requestedSchema: decisionForm(client, about, LABELS.change),
    codex: { codex_elicitation: 'patch-approval', codex_changes: msg.changes },
  };
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

/** How many characters of a text stand in one line for all of it. */
const MAX_HEAD = 200;

/**
 * A command as one line to begin with, and, if that is not all of it, the lines of all of it. The agent chose the text: control and invisible
 * characters are escaped, but for the line breaks and tabs of a script in `rest`.
 */
const commandTexts = (command: readonly string[]): { head: string; rest: string[] } => {
  const words = joinWords(command);
  const line = toVisible(words);
  const head = clip(line, MAX_HEAD);
  if (head === line && !words.includes('\n')) return { head, rest: [] };
  const whole = words.split('\t').map(toVisibleLines).join('\t');
  return { head, rest: [continued(`\n${whole}`).slice(1)] };
};

const withReason = (question: string, reason: string | undefined): string =>
  reason === undefined ? question : `${question}\n${reason}`;

/**
 * The params of `elicitation/create` for a request for approval. The `codex_…` members are those of the original; the id of
 * the event is that of the call's first request, so a question that is asked again stays the same.
 * Source: Codex 0.28.0 and 0.142.0, tapes exec-approval-* and patch-approval-*.
 */
export const toElicitation = (client: AskedClient, { msg, id, threadId }: CodexEvent): JsonObject => {
  const { message, requestedSchema, codex } = toQuestion(client, msg);
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

/** The schema of a question that is a form of its own; undefined for a choice of a decision. */
export const formOf = (msg: EventMsg): JsonObject | undefined => {
  if (msg.type !== 'elicitation_request' || msg.requested_schema === undefined) return undefined;
  const { properties } = msg.requested_schema;
  return isObject(properties) && Object.keys(properties).length > 0 ? msg.requested_schema : undefined;
};
