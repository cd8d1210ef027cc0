import { endOf, eventOf, isEvent, outputOf, type TurnStep } from '../../../src/agent/thread/steps';
import { ModelError } from '../../../src/protocol/model/model';
import { first, shell, turnOf } from '../support';

const turn = turnOf(() => undefined as never);
const { msg: _, ...ids } = first.started;

describe('isEvent', () => {
  it.each<[TurnStep, boolean]>([
    [first.started, true],
    [{ ...ids, kind: 'deltas', msgs: [] }, true],
    [first.declined('ls'), true],
    [{ kind: 'rejected', callId: 'a', message: 'no' }, true],
    [{ kind: 'joined', callId: 'a', threadId: 'n1', turnCallId: 'b' }, true],
    [{ kind: 'done', callId: 'a', threadId: 'n1' }, true],
    [{ kind: 'item', item: shell('l', 'ls') }, false],
    [{ kind: 'broken', error: new ModelError('broke', true) }, false],
    [{ kind: 'finished', message: null }, false],
  ])('of %j is %j', (step, expected) => {
    expect(isEvent(step)).toBe(expected);
  });
});

describe('eventOf', () => {
  it('is an event under the ids of the turn', () => {
    expect(eventOf(turn, { type: 'error', message: 'no' })).toEqual(first.error('no'));
  });
});

describe('endOf', () => {
  it.each([
    ['finished', { kind: 'finished', message: 'ok' }, [first.complete('ok')]],
    ['failed  ', { kind: 'failed', message: 'no' }, [first.error('no'), first.complete(null)]],
  ] as const)('of a turn that %s', (_, end, events) => {
    expect(endOf(turn, end)).toEqual(events);
  });
});

describe('outputOf', () => {
  it('is the text for the model, with its call', () => {
    expect(outputOf(shell('l', 'ls'), 'a')).toEqual({ kind: 'output', call: shell('l', 'ls'), text: 'a' });
  });
});
