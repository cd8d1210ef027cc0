import { hideRawReasoning } from '../../../../src/agent/appServer/turns/runTurn';
import type { EventMsg } from '../../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../../src/protocol/codex/events';
import type { ThreadSettings } from '../../../../src/protocol/codex/settings';
import { marbles } from '../../../support/marbles';

const event = (msg: EventMsg): Event => ({ kind: 'event', callId: 'a', threadId: 't', turnId: 'u', id: 'a', msg });
const events: Record<string, Event> = {
  m: event({ type: 'agent_message', message: 'hi' }),
  s: event({ type: 'agent_reasoning', text: 'a summary' }),
  d: event({ type: 'agent_reasoning_raw_content_delta', delta: 'a piece', item_id: 'i' }),
  r: event({ type: 'agent_reasoning_raw_content', text: 'all of it' }),
  n: { kind: 'declined', callId: 'a', what: 'ls', reason: 'no', question: 1 },
};

const showsRawReasoning = ({ config }: ThreadSettings): boolean => config?.show_raw_agent_reasoning === true;
const shown: ThreadSettings = { config: { show_raw_agent_reasoning: true } };

describe('hideRawReasoning', () => {
  it.each<[string, ThreadSettings | undefined, string, string]>([
    ['leaves raw reasoning out, its pieces too', {}, '-sddrmn|', '-s---mn|'],
    ['does so for a thread of unknown settings', undefined, '-dm|', '--m|'],
    ['shows it where the thread shows it', shown, '-sddrmn|', '-sddrmn|'],
    ['errors with its source', {}, '-d#', '--#'],
  ])('%s', (_, settings, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      const event$ = cold(source, events).pipe(hideRawReasoning({ showsRawReasoning }, settings));
      expectObservable(event$).toBe(expected, events);
    })(),
  );
});
