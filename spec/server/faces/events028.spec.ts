import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { events028 } from '../../../src/server/faces/faceOf';

const event = (msg: EventMsg, callId = 'c'): Event => ({
  kind: 'event',
  callId,
  threadId: 'T',
  turnId: 'U',
  id: '1',
  msg,
});

const diff = (text: string, callId = 'c') => event({ type: 'turn_diff', unified_diff: text }, callId);

const USAGE = {
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 1,
  reasoning_output_tokens: 0,
  total_tokens: 2,
};

const count = (callId = 'c') => event({ type: 'token_count', ...USAGE }, callId);

const complete = (callId = 'c') => event({ type: 'task_complete', last_agent_message: 'done' }, callId);

const outputOf = (inputs: readonly Event[]): readonly Event[] =>
  inputs.reduce(
    ({ state, output }, input) => {
      const next = events028.receiveEvent(state, input);
      return { state: next.state, output: [...output, ...next.output] };
    },
    { state: events028.initial, output: [] as Event[] },
  ).output;

describe('events028', () => {
  it('repeats the newest diff after each later response of the model', () =>
    expect(outputOf([count(), diff('1'), count(), diff('2'), count(), count()])).toEqual([
      count(),
      diff('1'),
      count(),
      diff('1'),
      diff('2'),
      count(),
      diff('2'),
      count(),
      diff('2'),
    ]));

  it('repeats a diff once if the engine, such as a tape, repeats it too', () => {
    const [first, second] = [diff('1'), count()];
    expect(outputOf([first, second, first, second, first])).toEqual([first, second, first, second, first]);
  });

  it('repeats no diff of another turn, nor of one that is over', () => {
    const [first, second] = [diff('1', 'a'), count('b')];
    expect(outputOf([first, second, complete('a'), count('a')])).toEqual([first, second, complete('a'), count('a')]);
  });

  it('keeps no diff of a turn that is over', () => {
    const { state } = events028.receiveEvent(events028.receiveEvent(events028.initial, diff('1')).state, complete());
    expect(state).toEqual(new Map());
  });

  it('shows warnings and compactions as events that 0.28.0 has', () => {
    const background = (message: string) => event({ type: 'background_event', message });
    expect(outputOf([event({ type: 'warning', message: 'slow' })])).toEqual([background('slow')]);
    expect(outputOf([event({ type: 'context_compacted' })])).toEqual([
      background(expect.stringContaining('summarized')),
    ]);
  });

  it('leaves out warnings about items of the model', () =>
    expect(outputOf([event({ type: 'warning', message: 'what is it', item_type: 'mystery' })])).toEqual([]));

  it('passes the other events', () => {
    const others: Event[] = [
      { kind: 'rejected', callId: 'c', message: 'no' },
      { kind: 'done', callId: 'c', threadId: 'T' },
      { kind: 'deltas', callId: 'c', threadId: 'T', turnId: 'U', id: '1', msgs: [] },
      event({ type: 'error', message: 'down' }),
    ];
    expect(outputOf(others)).toEqual(others);
  });
});
