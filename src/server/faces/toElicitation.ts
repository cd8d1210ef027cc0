/** The form a question takes in `elicitation/create`. */
import { REVIEW_DECISIONS, type ReviewDecision } from '../../protocol/codex/engine';
import type { EventMsg, FileChanges } from '../../protocol/codex/eventMsg';
import type { CodexEvent, Coverage } from '../../protocol/codex/events';
import { isObject, type JsonObject, mapTexts } from '../../protocol/jsonrpc/json';
import { clip } from '../../streams/text/trim';
import { toVisible, toVisibleScript } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import type { Era } from './clientInfo';

/** What the choice for the session adds, by what the approval covers. There is no such choice if it would cover nothing more than the approval once. */
const COVERED: Readonly<Record<Exclude<Coverage, 'once'>, string>> = {
  bytes: 'and this same command again without asking, as long as the files that it names keep their bytes',
  tool: 'and this tool again without asking, whatever its arguments',
};

/** The texts of the decisions: once, for the session, not, and the end of the turn. */
type Labels = readonly [once: string, always: string | undefined, not: string, stop: string];

/** An installed Codex does not say what is covered: it looks at no files. */
const labelsOf = ({ covers }: CodexEvent): Record<'run' | 'change' | 'agree', Labels> => {
  const always = (yes: string, ofCodex: string): string | undefined =>
    covers === 'once' ? undefined : `${yes}, ${covers ? COVERED[covers] : ofCodex}`;
  const ofFiles = 'and this same command again without asking, whatever the files that it names hold by then';
  return {
    run: ['Run it', always('Run it', ofFiles), 'Do not run it', STOP],
    change: ['Change them', 'Change them, and these files again without asking, whatever the change', NOT_THEM, STOP],
    agree: ['Yes', always('Yes', 'and the same again without asking'), 'No', STOP],
  };
};

const NOT_THEM = 'Do not change them';

const STOP = 'Stop the turn';

/** The texts of the decisions about what is asked. */
export const labelsOfQuestion = (event: CodexEvent): Labels => {
  const { run, change, agree } = labelsOf(event);
  if (event.msg.type === 'exec_approval_request') return run;
  return event.msg.type === 'apply_patch_approval_request' ? change : agree;
};

/** Source: Codex 0.28.0, tapes patch-approval-*; it named no files. */
export const PATCH_QUESTION = 'Allow Codex to apply proposed code changes?';

/** What is asked, with the members that the original sent. */
type Question = { message: string; requestedSchema: JsonObject; codex: JsonObject };

const toQuestion = (client: AskedClient, event: CodexEvent): Question => {
  const { msg } = event;
  const labels = labelsOf(event);
  switch (msg.type) {
    case 'exec_approval_request':
      return ofCommand(client, msg, labels.run);
    case 'apply_patch_approval_request':
      return ofPatch(client, msg, labels.change);
    case 'elicitation_request':
      return {
        message: `${toVisible(msg.server_name)}: ${continued(msg.message)}`,
        requestedSchema:
          formOf(msg) ??
          decisionForm(client, `${clip(toVisible(msg.message), MAX_HEAD)} May the agent do this?`, labels.agree),
        codex: { codex_elicitation: 'mcp-server', codex_server_name: msg.server_name },
      };
    default:
      throw new TypeError(`${msg.type} is no question`);
  }
};

type Msg<T> = Extract<EventMsg, { type: T }>;

const ofCommand = (
  client: AskedClient,
  { command, cwd, reason }: Msg<'exec_approval_request'>,
  labels: Labels,
): Question => {
  const { head, rest } = commandTexts(command);
  const question = [`Allow Codex to run \`${head}\` in \`${toVisible(cwd)}\`?`, ...rest].join('\n');
  return {
    message: withReason(question, reason),
    requestedSchema: decisionForm(client, `${head}: may the agent run this command?`, labels),
    codex: { codex_elicitation: 'exec-approval', codex_command: command, codex_cwd: cwd },
  };
};

const ofPatch = (client: AskedClient, msg: Msg<'apply_patch_approval_request'>, labels: Labels): Question => {
  const files = filesOf(msg.changes);
  const about = [clip(files.join(', '), MAX_HEAD), 'may the agent change these files?'].filter(Boolean).join(': ');
  return {
    message: withReason([PATCH_QUESTION, ...files, ...grantOf(msg)].join('\n'), msg.reason),
    requestedSchema: decisionForm(client, about, labels),
    codex: { codex_elicitation: 'patch-approval', codex_changes: msg.changes },
  };
};

/** A line for each file that changes, and for the new name of a moved file. */
const filesOf = (changes: FileChanges): string[] =>
  Object.entries(changes).flatMap(([path, change]) => [
    toVisible(path),
    ...('update' in change && change.update.move_path ? [toVisible(`moved to ${change.update.move_path}`)] : []),
  ]);

/** Codex may ask for a whole folder besides the files. */
const grantOf = ({ grant_root }: { grant_root?: string }): string[] =>
  grant_root ? [toVisible(`and all files in ${grant_root}, without asking again`)] : [];

/** Before each line of a foreign text but the first: no line of it can look like a question of its own. */
const CONTINUED = '  | ';
const continued = (text: string): string => text.replaceAll('\n', `\n${CONTINUED}`);

/** How many characters of a text stand in one line for all of it. */
const MAX_HEAD = 200;

/** A command as one line to begin with, and, if that is not all of it, the lines of all of it, which keep the line breaks and tabs of a script. */
const commandTexts = (command: readonly string[]): { head: string; rest: string[] } => {
  const words = joinWords(command);
  const line = toVisible(words);
  const head = clip(line, MAX_HEAD);
  if (head === line && !words.includes('\n')) return { head, rest: [] };
  return { head, rest: [continued(`\n${words}`).slice(1)] };
};

const withReason = (question: string, reason: string | undefined): string =>
  reason === undefined ? question : `${question}\n${reason}`;

/**
 * The params of `elicitation/create` for a request for approval. All that a client shows to a person is made visible: the message, and each text of
 * the form. The `codex_…` members are data, as in the original. The id of the event is the id of the first request of the call, so a repeated
 * question stays the same.
 * Source: Codex 0.28.0 and 0.142.0, tapes exec-approval-* and patch-approval-*.
 */
export const toElicitation = (client: AskedClient, event: CodexEvent): JsonObject => {
  const { msg, id, threadId } = event;
  const { message, requestedSchema, codex } = toQuestion(client, event);
  return {
    message: toVisibleScript(message),
    requestedSchema: mapTexts(requestedSchema, toVisible),
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

/** What the form depends on: the revision of the client, and its capabilities. */
export type AskedClient = Pick<Era, 'revision' | 'capabilities'>;

/** The first revision with titles of choices in JSON Schema. Source: 2025-11-25 client/elicitation "Requested Schema". */
const FIRST_TITLED = '2025-11-25';

/** The choices with their titles. The description explains the values too in revisions whose clients often show no titles. */
const choicesOf = ({ revision = '' }: AskedClient, description: string, labels: Labels): JsonObject => {
  const choices = REVIEW_DECISIONS.map((decision, at) => ({ const: decision, title: labels[at] }));
  const oneOf = choices.filter(({ title }) => title !== undefined);
  if (revision >= FIRST_TITLED) return { description, oneOf };
  const meanings = oneOf.map((choice) => `${choice.const}: ${choice.title}`);
  const names = { enum: oneOf.map((choice) => choice.const), enumNames: oneOf.map(({ title }) => title) };
  return { description: `${description} (${meanings.join('; ')})`, ...names };
};

/** True for a client that fills defaults into accepted forms without a person. Source: MCP TypeScript SDK, `elicitation.form.applyDefaults`. */
const fillsDefaults = ({ capabilities: { elicitation } }: AskedClient): boolean =>
  isObject(elicitation) && isObject(elicitation.form) && elicitation.form.applyDefaults === true;

const PRESELECTED: ReviewDecision = 'approved';

/**
 * The one field of the form, which must be answered. Its default is the choice that clients preselect and show; `denied` would turn a yes into a no,
 * because they send it for a form that a person accepts unchanged.
 * Source: Claude Code 2.1.330 and Inspector 2.12.
 */
export const decisionForm = (client: AskedClient, description: string, labels: Labels): JsonObject => ({
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Decision',
      ...choicesOf(client, description, labels),
      ...(!fillsDefaults(client) && { default: PRESELECTED }),
    },
  },
  required: ['decision'],
});
