/** Owns reading rollouts of Codex: what a thread was told and said becomes calls of the two tools. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc';
import { rolloutSteps } from '../../rollout';
import type { Trouble } from '../tape';
import { type Imported, type SourceLine, toMs } from './source';

/** True for the first line of a rollout. Source: codex 0.28.0 (`id`, `instructions`), 0.142.0 (`session_meta`). */
export const isRolloutStart = (value: JsonObject): boolean =>
  value.type === 'session_meta' || (typeof value.id === 'string' && 'timestamp' in value && 'instructions' in value);

/** Who the made-up client is, and what it speaks. */
const GREETING = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'codex-rx import', version: '1' },
};
const SERVER = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'rollout', version: '1' },
};

/**
 * Reads a rollout as a session on MCP: `codex` for the first message of the user, `codex-reply` for each after it, with the
 * events of the turn as `codex/event`. Times are those of the lines where they have some, else a millisecond a step.
 */
export const fromRollout = (source: readonly SourceLine[], troubles: Trouble[]): Imported => {
  const [head, ...rest] = source;
  const session = headOf(head?.value ?? {});
  const writer = newWriter(session.id, session.startedMs);
  for (const { lineNumber, value } of rest) {
    const steps = rolloutSteps(value);
    if (steps === undefined)
      troubles.push({ lineNumber, reason: 'is no line of a rollout that is known; it is left out' });
    for (const step of steps ?? []) writer.write(step, toMs(value.timestamp));
  }
  writer.end();
  return { meta: session.meta, entries: writer.entries };
};

const headOf = (value: JsonObject) => {
  const about = isObject(value.payload) ? value.payload : value;
  const id = String(about.id ?? about.session_id ?? 'unknown');
  const startedMs = toMs(value.timestamp) ?? 0;
  const server = typeof about.cli_version === 'string' ? { server: { name: 'codex', version: about.cli_version } } : {};
  return { id, startedMs, meta: { started: new Date(startedMs).toISOString(), thread: id, ...server } };
};

/** Writes the entries of one thread. */
const newWriter = (threadId: string, startedMs: number) => {
  const entries: Imported['entries'] = [];
  let t = 0;
  let calls = 0;
  let open = false;
  let said = '';
  const add = (dir: 'in' | 'out', message: JsonObject) =>
    entries.push({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const tell = (msg: JsonObject) =>
    add('out', {
      method: 'codex/event',
      params: { _meta: { requestId: calls, threadId }, id: String(calls), msg },
    });
  const answer = () => {
    if (!open) return;
    open = false;
    const structuredContent = { threadId, content: said };
    add('out', { id: calls, result: { content: [{ type: 'text', text: said }], structuredContent } });
  };
  const call = (prompt: string) => {
    answer();
    calls += 1;
    open = true;
    said = '';
    const isFirst = calls === 1;
    const params = isFirst
      ? { name: 'codex', arguments: { prompt } }
      : { name: 'codex-reply', arguments: { prompt, threadId } };
    add('in', { id: calls, method: 'tools/call', params });
    if (isFirst) tell({ type: 'session_configured', session_id: threadId, thread_id: threadId });
  };
  add('in', { id: 0, method: 'initialize', params: GREETING });
  add('out', { id: 0, result: SERVER });
  add('in', { method: 'notifications/initialized' });
  return {
    entries,
    write: (step: { user: string } | { msg: JsonObject }, ms: number | undefined) => {
      t = ms === undefined ? t + 1 : Math.max(t, ms - startedMs);
      if ('user' in step) return call(step.user);
      if (!open) return;
      if (step.msg.type === 'agent_message') said = String(step.msg.message);
      tell(step.msg);
      if (step.msg.type === 'task_complete' || step.msg.type === 'turn_aborted') answer();
    },
    end: answer,
  };
};
