import { closingMsgs, type TurnEnd } from '../../../src/agent/turns/turnEvents';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';

describe('closingMsgs', () => {
  const aborted: EventMsg = { type: 'turn_aborted', reason: 'interrupted' };
  it.each<[TurnEnd, EventMsg[]]>([
    [{ kind: 'finished', message: 'hi' }, [{ type: 'task_complete', last_agent_message: 'hi' }]],
    [{ kind: 'finished', message: null }, [{ type: 'task_complete', last_agent_message: null }]],
    [
      { kind: 'failed', message: 'no model' },
      [
        { type: 'error', message: 'no model' },
        { type: 'task_complete', last_agent_message: null },
      ],
    ],
    [{ kind: 'interrupted' }, [aborted]],
    [{ kind: 'expired', message: 'too long' }, [{ type: 'error', message: 'too long' }, aborted]],
  ])('ends a turn by %j', (end, msgs) => {
    expect(closingMsgs(end)).toEqual(msgs);
  });
});
