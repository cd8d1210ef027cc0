/** Times, totals and commands in 0.153. Source: tapes v142-*. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { addUserMessage } from './addItems';
import { type AddDeps, type Added, type Turn0153, withEntry } from './turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

/** The begin of a turn, and the message of the user. */
export const addStart = (deps: AddDeps, turn: Turn0153, msg: Of<'task_started'>): Added => {
  const startedMs = deps.now();
  const started_at = Math.floor(startedMs / 1000);
  return {
    turn: { ...turn, startedMs, contextWindow: msg.model_context_window },
    msgs: [{ ...msg, started_at, collaboration_mode_kind: 'default' }, ...addUserMessage(deps, turn)],
  };
};

/** The end of a turn, with when it was and how long it took. */
export const addEnd = (deps: AddDeps, turn: Turn0153, msg: Of<'task_complete' | 'turn_aborted'>): Added => {
  const nowMs = deps.now();
  const startedMs = turn.startedMs ?? nowMs;
  const times = { completed_at: Math.floor(nowMs / 1000), duration_ms: Math.max(0, nowMs - startedMs) };
  const first =
    msg.type === 'task_complete' && turn.firstTokenMs !== undefined
      ? { time_to_first_token_ms: Math.max(0, turn.firstTokenMs - startedMs) }
      : {};
  return { turn, msgs: [{ ...msg, ...times, ...first }] };
};

/** The turn once the first delta of the model has arrived. */
export const withFirstToken = (deps: AddDeps, turn: Turn0153): Turn0153 =>
  turn.firstTokenMs === undefined ? { ...turn, firstTokenMs: deps.now() } : turn;

/** The begin of a command. */
export const addCommandBegin = (deps: AddDeps, turn: Turn0153, msg: Of<'exec_command_begin'>): Added => ({
  turn: { ...turn, commands: withEntry(turn.commands, msg.call_id, msg) },
  msgs: [{ ...msg, started_at_ms: deps.now() }],
});

/** The end of a command, with what it was. */
export const addCommandEnd = (deps: AddDeps, turn: Turn0153, msg: Of<'exec_command_end'>): Added => {
  const { command = [], cwd = '', parsed_cmd = [] } = turn.commands.get(msg.call_id) ?? {};
  const status = msg.exit_code === 0 ? 'completed' : 'failed';
  return {
    turn: { ...turn, commands: withEntry(turn.commands, msg.call_id, undefined) },
    msgs: [{ ...msg, command, cwd, parsed_cmd, status, completed_at_ms: deps.now() }],
  };
};
