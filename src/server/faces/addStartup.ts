/** The start of the MCP servers of a thread in 0.153. Source: tapes v142-*, codex app-server 0.142.0 and 0.169.0. */
import type { EventMsg, McpStartupStatus } from '../../protocol/codex/eventMsg';
import { type Added, type Starting, type Turn0153, withEntry } from './turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

/** A new thread. The start of its servers is reported once it is known which of them started; at once where there are none. */
export const addThread = (turn: Turn0153, msg: Of<'session_configured'>): Added => {
  const servers = msg.mcp_servers ?? [];
  const starting: Starting = { states: new Map(), ...(servers === 'reported' ? { isReported: true } : { servers }) };
  const begun = { ...turn, starting };
  if (servers.length > 0) return { turn: begun, msgs: [msg] };
  const { turn: next, msgs } = addStartup(begun);
  return { turn: next, msgs: [msg, ...msgs] };
};

/** The sentence of the native engine about a server that did not start. */
const FAILED = /^MCP client for `(?<server>.+?)` failed to start: (?<error>.*)$/s;

/** A warning, which may name a server that did not start. */
export const addWarning = (turn: Turn0153, msg: Of<'warning'>): Added => {
  const { server, error } = FAILED.exec(msg.message)?.groups ?? {};
  if (server === undefined || error === undefined || turn.starting?.isReported) return { turn, msgs: [msg] };
  return { turn: withState(turn, server, { state: 'failed', error }), msgs: [msg] };
};

/** How far a server is. All of them are reported once the last is ready, or is known not to start. */
export const addUpdate = (turn: Turn0153, msg: Of<'mcp_startup_update'>): Added => {
  const next = withState(turn, msg.server, msg.status);
  const { msgs, turn: after } = isSettled(next) ? addStartup(next) : { msgs: [], turn: next };
  return { turn: after, msgs: [msg, ...msgs] };
};

const withState = (turn: Turn0153, server: string, status: McpStartupStatus): Turn0153 =>
  turn.starting === undefined
    ? turn
    : { ...turn, starting: { ...turn.starting, states: withEntry(turn.starting.states, server, status) } };

/** Before the turn has started a server may follow that is not known yet. */
const isSettled = (turn: Turn0153): boolean => turn.startedMs !== undefined && !isAnyStarting(turn);

const isAnyStarting = ({ starting }: Turn0153): boolean =>
  [...(starting?.states.values() ?? [])].some(({ state }) => state === 'starting');

/**
 * Reports the servers before a message of this type, once all are known. An engine that names its servers up front has started them when it asks the model.
 * One that reports each server has named all of them when the turn has started; those that are not ready then are waited for, up to the end of the turn.
 */
export const addStartupBefore = (turn: Turn0153, type: EventMsg['type']): Added => {
  const isDue = turn.starting?.isReported
    ? ENDS.includes(type) || (type === 'task_started' && !isAnyStarting(turn))
    : !BEFORE_STARTUP.includes(type);
  return isDue ? addStartup(turn) : { turn, msgs: [] };
};

const BEFORE_STARTUP: readonly EventMsg['type'][] = ['session_configured', 'task_started', 'warning'];
const ENDS: readonly EventMsg['type'][] = ['task_complete', 'turn_aborted'];

/** Which servers have started and which have not, once. */
export const addStartup = (turn: Turn0153): Added => {
  if (turn.starting === undefined) return { turn, msgs: [] };
  const { servers = [], states } = turn.starting;
  const entries = [...states];
  const inState = (name: McpStartupStatus['state']) =>
    entries.flatMap(([one, { state }]) => (state === name ? one : []));
  const failed = entries.flatMap(([server, one]) => (one.state === 'failed' ? { server, error: one.error } : []));
  const ready = [...servers.filter((name) => !states.has(name)), ...inState('ready')];
  return {
    turn: { ...turn, starting: undefined },
    msgs: [{ type: 'mcp_startup_complete', ready, failed, cancelled: inState('cancelled') }],
  };
};
