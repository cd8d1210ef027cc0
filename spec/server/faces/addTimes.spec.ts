import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import {
  addCommandBegin,
  addCommandEnd,
  addEnd,
  addStart,
  withFirstToken,
} from '../../../src/server/faces/additions0153';
import { newTurn0153, type Turn0153 } from '../../../src/server/faces/turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;
const deps = { now: () => 5_900, newId: () => 'new' };
const turn = newTurn0153([{ type: 'text', text: 'go' }]);
const complete: Of<'task_complete'> = { type: 'task_complete', last_agent_message: 'a' };

describe('addStart', () => {
  it('has the time in seconds, and the message of the user after it', () => {
    const { turn: next, msgs } = addStart(deps, turn, { type: 'task_started', model_context_window: 7 });
    expect(next).toEqual({ ...turn, startedMs: 5_900, contextWindow: 7 });
    expect(msgs[0]).toEqual({
      ...{ type: 'task_started', model_context_window: 7, started_at: 5, collaboration_mode_kind: 'default' },
    });
    expect(msgs.slice(1).map(({ type }) => type)).toEqual(['item_started', 'item_completed', 'user_message']);
  });
});

describe('addEnd', () => {
  const at5 = { completed_at: 5 };
  it.each<[string, Partial<Turn0153>, Of<'task_complete' | 'turn_aborted'>, object]>([
    ['how long it took             ', { startedMs: 900 }, complete, { ...at5, duration_ms: 5_000 }],
    ['no time before its start     ', { startedMs: 9_000 }, complete, { ...at5, duration_ms: 0 }],
    ['no time without a start      ', {}, complete, { ...at5, duration_ms: 0 }],
    [
      'the time to the first token  ',
      { startedMs: 900, firstTokenMs: 1_000 },
      complete,
      { ...at5, duration_ms: 5_000, time_to_first_token_ms: 100 },
    ],
    [
      'not that of a stopped turn   ',
      { startedMs: 900, firstTokenMs: 1_000 },
      { type: 'turn_aborted', reason: 'interrupted' },
      { ...at5, duration_ms: 5_000 },
    ],
  ])('has %s', (_, own, msg, times) => {
    const before = { ...turn, ...own };
    expect(addEnd(deps, before, msg)).toEqual({ turn: before, msgs: [{ ...msg, ...times }] });
  });
});

describe('withFirstToken', () => {
  it('notes the first delta only', () => {
    const noted = withFirstToken(deps, turn);
    expect(noted).toEqual({ ...turn, firstTokenMs: 5_900 });
    expect(withFirstToken({ ...deps, now: () => 9 }, noted)).toBe(noted);
  });
});

describe('addCommandBegin, addCommandEnd', () => {
  const begin: Of<'exec_command_begin'> = {
    ...{ type: 'exec_command_begin', call_id: 'x', command: ['ls'], cwd: '/', parsed_cmd: [] },
  };
  const end = (exit_code: number) => ({ type: 'exec_command_end', call_id: 'x', exit_code }) as Of<'exec_command_end'>;
  const about = { command: ['ls'], cwd: '/', parsed_cmd: [] };

  it('names at its end what the command was', () => {
    const begun = addCommandBegin(deps, turn, begin);
    expect(begun).toEqual({
      turn: { ...turn, commands: new Map([['x', begin]]) },
      msgs: [{ ...begin, started_at_ms: 5_900 }],
    });
    expect(addCommandEnd(deps, begun.turn, end(0))).toEqual({
      turn,
      msgs: [{ ...end(0), ...about, status: 'completed', completed_at_ms: 5_900 }],
    });
  });

  it('ends one that failed, or that was never begun', () => {
    expect(addCommandEnd(deps, turn, end(1))).toEqual({
      turn,
      msgs: [{ ...end(1), command: [], cwd: '', parsed_cmd: [], status: 'failed', completed_at_ms: 5_900 }],
    });
  });
});
