import { noCalls } from '../../../src/server/calls/openCalls';
import { toEventOutput, toStep } from '../../../src/server/calls/step';
import { callA, events } from '../../support/calls';

describe('toStep', () => {
  it('is a step without operations, and without output unless there is some', () => {
    const state = noCalls<{ request: string }>();
    expect(toStep(state)).toEqual({ state, output: [], ops: [] });
    const output = [{ kind: 'cancelled', call: callA }] as const;
    expect(toStep(state, output)).toEqual({ state, output, ops: [] });
  });
});

describe('toEventOutput', () => {
  it.each(['live', 'replayed', 'missed'] as const)('is an event that is %s', (delivery) => {
    expect(toEventOutput(callA, events.started, delivery)).toEqual({
      ...{ kind: 'event', call: callA, event: events.started, delivery },
    });
  });
});
