import type { Event } from '../../../src/protocol/codex/events';
import { bufferEvent } from '../../../src/server/calls/receiveEvent';
import { events, opA } from '../../support/calls';
import { turnEventOf } from '../../support/mcp';

describe('bufferEvent', () => {
  it('adds an event at the end of a new buffer', () => {
    const buffered = [events.started];
    expect(bufferEvent(buffered, events.message)).toEqual([events.started, events.message]);
    expect(buffered).toEqual([events.started]);
  });

  it.each<[string, Event]>([
    ['a delta of text', events.delta],
    ['a delta of reasoning', turnEventOf(opA, { type: 'agent_reasoning_delta', delta: 'a', item_id: 'i' })],
    [
      'a delta of output',
      turnEventOf(opA, { type: 'exec_command_output_delta', call_id: 'x', stream: 'stdout', chunk: Uint8Array.of(1) }),
    ],
    ['what was declined', events.declined],
    ['a refusal', events.refused],
  ])('leaves out %s and gives the same buffer back', (_, event) => {
    const buffered = [events.started];
    expect(bufferEvent(buffered, event)).toBe(buffered);
  });
});
