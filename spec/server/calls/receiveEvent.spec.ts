import type { CallState } from '../../../src/server/calls/call';
import { receiveEvent } from '../../../src/server/calls/receiveEvent';
import type { CallOutput } from '../../../src/server/calls/step';
import { newTurn } from '../../../src/server/calls/turn';
import { byResult, callA, callsOf, events, type Waiting } from '../../support/calls';
import { THREAD } from '../../support/mcp';

const turn = { ...newTurn, threadId: THREAD };
const asked = { ...turn, questions: new Map([[7, events.question]]) };
const running = { phase: 'running', call: callA, order: 0, turn } as const;
const awaiting = { phase: 'awaitingInput', call: byResult, order: 0, turn: asked, buffered: [] } as const;
const cancelled = { phase: 'cancelled', call: callA, order: 0 } as const;
const over = (entry: CallState<Waiting>) => ({ ...callsOf(entry), open: callsOf().open });
const outcome = { kind: 'completed', threadId: THREAD, text: 'done', notDone: [] } as const;
const shown = (event: (typeof events)['delta'], delivery: 'live' | 'missed', call = callA): CallOutput<Waiting> => ({
  kind: 'event',
  call,
  event,
  delivery,
});

describe('receiveEvent', () => {
  it.each<
    [
      string,
      CallState<Waiting>,
      (typeof events)[keyof typeof events],
      CallState<Waiting> | undefined,
      CallOutput<Waiting>[],
    ]
  >([
    ['sends an event to the request that waits', running, events.message, running, [shown(events.message, 'live')]],
    [
      'asks by a request of its own',
      running,
      events.question,
      { ...running, turn: asked },
      [shown(events.question, 'live'), { kind: 'question', call: callA, question: 7, event: events.question }],
    ],
    [
      'asks by the result of the request',
      { ...running, call: byResult },
      events.question,
      { ...awaiting, turn: { ...asked, rounds: 1 } },
      [shown(events.question, 'live', byResult), { kind: 'suspended', call: byResult, questions: asked.questions }],
    ],
    [
      'finishes the call with its last event',
      running,
      events.complete,
      undefined,
      [shown(events.complete, 'live'), { kind: 'finished', call: callA, outcome }],
    ],
    [
      'buffers an event that no request waits for',
      awaiting,
      events.message,
      { ...awaiting, buffered: [events.message] },
      [shown(events.message, 'missed', byResult)],
    ],
    ['leaves a delta out of the buffer', awaiting, events.delta, awaiting, [shown(events.delta, 'missed', byResult)]],
    [
      'sends nothing more of a call that was cancelled',
      cancelled,
      events.message,
      cancelled,
      [shown(events.message, 'missed')],
    ],
    [
      'forgets a cancelled call with its last event',
      cancelled,
      events.aborted,
      undefined,
      [shown(events.aborted, 'missed')],
    ],
  ])('%s', (_, before, event, after, output) => {
    const state = after === undefined ? over(before) : callsOf(after);
    expect(receiveEvent(callsOf(before), event)).toEqual({ state, output, ops: [] });
  });

  it('withdraws the question of what was declined', () => {
    const { state, output } = receiveEvent(callsOf({ ...running, turn: asked }), events.declined);
    expect(output).toEqual([{ kind: 'withdrawn', call: callA, questions: [7], reason: 'late' }]);
    expect(state).toEqual(callsOf({ ...running, turn: { ...turn, notDone: [{ what: '`touch`', reason: 'late' }] } }));
  });

  it('changes nothing for a call that is not open', () => {
    expect(receiveEvent(callsOf(), events.message)).toEqual({ state: callsOf(), output: [], ops: [] });
  });

  it('keeps its state as it is for a delta', () => {
    const before = callsOf(running);
    expect(receiveEvent(before, events.delta).state).toBe(before);
  });
});
