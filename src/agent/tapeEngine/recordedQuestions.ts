/** The questions of recorded turns, and what was answered: as requests of the server, or as what a task asked. */
import type { ReviewDecision } from '../../protocol/codex/engine';
import type { EventMsg, FileChanges } from '../../protocol/codex/eventMsg';
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { ServerLine, SessionIndex } from '../../tapes/session/sessionIndex';
import { changedTask, shownTask } from '../../tapes/session/sessionTasks';

/** What was answered; `decision` is undefined if no answer was recorded. */
export type RecordedAnswer = { decision: string | undefined; form?: JsonObject };

/** True for an event that asks the user. */
export const isQuestion = ({ type }: EventMsg): boolean =>
  type === 'exec_approval_request' || type === 'apply_patch_approval_request' || type === 'elicitation_request';

/**
 * The request that the client received right after the event, and its response.
 * @param lines of the call, from the event on
 */
export const approvalAfter = ({ clientLines }: SessionIndex, lines: readonly ServerLine[]) => {
  const asked = lines.find(({ messages: [message] }) => message?.kind === 'request');
  const answer = clientLines[asked?.answeredBy ?? -1];
  const [message] = answer?.messages ?? [];
  const verdict = message?.kind === 'response' ? verdictOf(message.body) : { decision: undefined };
  return { verdict, answeredMs: answer?.t };
};

/** What the actions of an elicitation stand for. Source: MCP 2025-06-18, ElicitResult. */
const DECISION_OF_ACTION: Partial<Record<string, ReviewDecision>> = {
  accept: 'approved',
  decline: 'denied',
  cancel: 'abort',
};

const verdictOf = ({ result }: JsonObject): RecordedAnswer => {
  if (!isObject(result)) return { decision: 'denied' };
  const { decision, action, content } = result;
  const inside = isObject(content) ? content.decision : undefined;
  const given = decision ?? inside ?? DECISION_OF_ACTION[wordOf(action)];
  return {
    decision: typeof given === 'string' ? given : JSON.stringify(given),
    ...(isObject(content) && inside === undefined && { form: content }),
  };
};

/** A question that a task asked, when it was seen first, and when it was answered. */
export type TaskQuestion = { msg: EventMsg; question: RecordedAnswer; t: number; answeredMs?: number };

/** The call that an event is about, or the text of its question. */
export const callIdOf = (msg: EventMsg): unknown => ('call_id' in msg ? msg.call_id : 'message' in msg && msg.message);

/** What a task asked, each question once: a question that was asked again counts by its last answer. */
export const askedByTask = ({ messages }: SessionIndex, taskId: string): TaskQuestion[] => {
  const asked = new Map<string, TaskQuestion>();
  for (const { message, t } of messages) {
    const shown = shownTask(message);
    if (shown?.taskId === taskId) {
      for (const [key, request] of Object.entries(toObject(shown.inputRequests))) {
        const msg = asked.has(key) ? undefined : toQuestion(toObject(toObject(request).params));
        if (msg !== undefined) asked.set(key, { msg, question: { decision: undefined }, t });
      }
    }
    if (changedTask(message) !== taskId || message.kind !== 'request') continue;
    for (const [key, result] of Object.entries(toObject(toObject(message.params).inputResponses))) {
      const one = asked.get(key);
      if (one !== undefined) asked.set(key, { ...one, question: verdictOf({ result }), answeredMs: t });
    }
  }
  return [...new Map([...asked.values()].map((one) => [callIdOf(one.msg), one])).values()];
};

/** The event behind the params of an elicitation; undefined for a question of another server. */
export const toQuestion = (params: JsonObject): EventMsg | undefined => {
  const { codex_elicitation: kind, codex_call_id, message, requestedSchema } = params;
  const call_id = wordOf(codex_call_id ?? '');
  switch (kind) {
    case 'exec-approval':
      return {
        type: 'exec_approval_request',
        call_id,
        command: Array.isArray(params.codex_command) ? params.codex_command.map(wordOf) : [],
        cwd: wordOf(params.codex_cwd ?? ''),
      };
    case 'patch-approval':
      return { type: 'apply_patch_approval_request', call_id, changes: toObject(params.codex_changes) as FileChanges };
    case 'mcp-server':
      return toForm(wordOf(params.codex_server_name ?? ''), wordOf(message ?? ''), toObject(requestedSchema));
    default:
      return undefined;
  }
};

/** The message begins with the name of its server. A choice of a decision is no form of its own. */
const toForm = (server_name: string, text: string, schema: JsonObject): EventMsg => ({
  type: 'elicitation_request',
  server_name,
  message: text.startsWith(`${server_name}: `) ? text.slice(server_name.length + 2) : text,
  ...(!('decision' in toObject(schema.properties)) && { requested_schema: schema }),
});
