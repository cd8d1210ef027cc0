import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { type Event, isLast } from '../../../src/protocol/codex/events';

const eventOf = (msg: EventMsg): Event => ({ kind: 'event', callId: 'c', threadId: 't', turnId: 'u', id: '1', msg });

describe('isLast', () => {
  it.each<[string, Event, boolean]>([
    ['a finished turn', eventOf({ type: 'task_complete', last_agent_message: null }), true],
    ['an aborted turn', eventOf({ type: 'turn_aborted', reason: 'interrupted' }), true],
    ['a refused call', { kind: 'rejected', callId: 'c', message: 'no such thread' }, true],
    ['an error, which an end follows', eventOf({ type: 'error', message: 'no' }), false],
    ['a declined question', { kind: 'declined', callId: 'c', what: 'rm', reason: 'nobody answered' }, false],
    ['a message', eventOf({ type: 'agent_message', message: 'hi' }), false],
  ])('judges %s', (_, event, last) => {
    expect(isLast(event)).toBe(last);
  });
});
