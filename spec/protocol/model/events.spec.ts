import { isModelDelta, type ModelEvent } from '../../../src/protocol/model/events';

describe('isModelDelta', () => {
  it.each<[ModelEvent, boolean]>([
    [{ kind: 'text', itemId: '', delta: '' }, true],
    [{ kind: 'reasoning', itemId: '', delta: '' }, true],
    [{ kind: 'rawReasoning', itemId: '', delta: '' }, true],
    [{ kind: 'reasoningBreak', itemId: '' }, true],
    [{ kind: 'deltas', deltas: [] }, false],
    [{ kind: 'completed', responseId: '', usage: null }, false],
  ])('of %j is %j', (event, expected) => {
    expect(isModelDelta(event)).toBe(expected);
  });
});
