import { turnEvent } from '../../../src/agent/turns/turnEvents';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { call } from './support';

describe('turnEvent', () => {
  const ids = { op: call('a'), threadId: 't', turnId: 'u' };
  const event = { kind: 'event', callId: 'a', threadId: 't', turnId: 'u' };

  it('carries the ids of its turn', () => {
    const msg: EventMsg = { type: 'agent_message', message: 'hi' };
    expect(turnEvent(ids, msg)).toEqual({ ...event, id: 'a-event', msg });
  });

  it('leaves the id of the first event of a thread empty', () => {
    const msg = { type: 'session_configured', session_id: 't' } as EventMsg;
    expect(turnEvent(ids, msg)).toEqual({ ...event, id: '', msg });
  });
});
