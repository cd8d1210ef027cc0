import { matchTurns, type TapeMatch } from '../../../src/agent/tapeEngine/matchTurns';
import type { RecordedTurn, TurnStep } from '../../../src/agent/tapeEngine/toTurns';
import { rejection } from '../../../src/agent/turns/rejection';
import { type ThreadOp, type ThreadRef, toInput } from '../../../src/protocol/codex/operations';

const configured: TurnStep = { afterMs: 1, msg: { type: 'session_configured' } as TurnStep['msg'] };
const complete: TurnStep = { afterMs: 2, msg: { type: 'task_complete', last_agent_message: 'a' } };
const recorded = (own: Partial<RecordedTurn>): RecordedTurn => ({
  lineNumber: 1,
  tool: 'codex',
  prompt: 'go',
  threadId: 'T',
  steps: [configured, complete],
  text: 'a',
  ...own,
});
const first = recorded({});
const reply = recorded({ lineNumber: 2, tool: 'codex-reply', prompt: 'more', steps: [complete] });
const other = recorded({ lineNumber: 3, threadId: 'U' });

const turn = (prompt: string, thread: ThreadRef = { start: {} }): ThreadOp => ({
  kind: 'turn',
  callId: prompt,
  eventId: '1',
  thread,
  input: toInput(prompt),
  askable: true,
});
const open = (thread: ThreadRef): ThreadOp => ({ kind: 'open', callId: 'o', eventId: '', thread, askable: true });
const onT = { id: 'T' };
const NEWEST = { newest: true } as unknown as ThreadRef;

/** What becomes of operations, one after another: the recorded turn, or the rejection; and the newest thread after them. */
const routed = (match: TapeMatch, turns: RecordedTurn[], ...ops: ThreadOp[]) => {
  const { route, find } = matchTurns(turns, match);
  const outcomes = ops.map((op) => {
    const one = route(op);
    return one.kind === 'turn' ? one.turn.recorded : one;
  });
  return { outcomes, newest: find(NEWEST) };
};

describe('matchTurns', () => {
  it('plays each turn once, by its prompt', () => {
    const again = turn('go');
    expect(routed('strict', [first, reply], turn('go'), turn('more', onT), again).outcomes).toEqual([
      first,
      reply,
      rejection(again, 'Not recorded: every call on the tape was played.'),
    ]);
  });

  it('plays the next turn of a tool, whatever its prompt, with `next`', () => {
    expect(routed('next', [first, reply, other], turn('x'), turn('y', onT), turn('z')).outcomes).toEqual([
      first,
      reply,
      other,
    ]);
  });

  it.each<[string, ThreadOp, string]>([
    [
      'another prompt   ',
      turn('x'),
      'codex with this prompt. Next on the tape, in line 1, is "go"; --tape-match next takes any prompt for it.',
    ],
    [
      'another thread   ',
      turn('more', { id: 'V' }),
      'the tape has no more calls of codex-reply on this thread; 3 of others are left.',
    ],
    ['an unknown thread', open({ id: 'V' }), 'the tape has no such thread.'],
    [
      'a summary        ',
      { kind: 'compact', callId: 'c', eventId: '', thread: onT, askable: true },
      'a tape has no turns that compact a thread.',
    ],
  ])('rejects %s', (_, op, text) => {
    expect(routed('strict', [first, reply, other], op).outcomes).toEqual([rejection(op, `Not recorded: ${text}`)]);
  });

  it('opens a thread with its first event, and plays the rest with the turn that follows', () => {
    const { outcomes, newest: id } = routed('strict', [first, reply], open({ start: {} }), turn('go', onT), open(onT));
    expect(outcomes).toEqual([
      { ...first, steps: [configured] },
      { ...first, tool: 'codex-reply', steps: [complete] },
      { ...first, steps: [] },
    ]);
    expect(id).toBe('T');
  });

  it('finds the thread of the last operation as the newest, none before', () => {
    expect(routed('strict', [first, other], turn('go'), turn('go')).newest).toBe('U');
    expect(routed('strict', [first]).newest).toBeUndefined();
    expect(matchTurns([first], 'strict').find({ id: 'V' })).toBeUndefined();
  });
});
