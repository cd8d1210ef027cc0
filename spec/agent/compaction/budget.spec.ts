import fc from 'fast-check';
import { budgetOf, takeMoreThan, tokensOf } from '../../../src/agent/compaction/budget';
import { messageOf } from '../../support/models';
import { custom, outputOf, reasoning, shell } from '../support';

describe('budgetOf', () => {
  it.each([
    ['the window of the model', { contextWindow: 1_000 }, { limitTokens: 800, countedTokens: 900, keepTokens: 100 }],
    [
      'a default for a model that is not known',
      { contextWindow: null },
      { limitTokens: 102_400, countedTokens: 115_200, keepTokens: 12_800 },
    ],
    [
      'the limit of the configuration where that is lower',
      { contextWindow: 1_000, autoCompactTokenLimit: 500 },
      { limitTokens: 500, countedTokens: 500, keepTokens: 100 },
    ],
    [
      'the window where the limit of the configuration is higher',
      { contextWindow: 1_000, autoCompactTokenLimit: 5_000 },
      { limitTokens: 800, countedTokens: 900, keepTokens: 100 },
    ],
  ])('follows %s', (_, config, budget) => {
    expect(budgetOf(config)).toEqual(budget);
  });
});

describe('tokensOf', () => {
  it.each([
    ['a message', messageOf('user', 'abcdefgh'), 6],
    [
      'a picture, whatever its bytes',
      { ...messageOf('user', ''), content: [{ type: 'input_image', image_url: 'u' }] },
      1_504,
    ],
    ['an output', outputOf('c', 'abcdefgh'), 2],
    ['a call', { ...shell('c', 'ls'), arguments: 'abc' }, 2],
    ['a free-form call', custom('c', 'name', 'abcd'), 2],
    ['a native command', { type: 'local_shell_call', call_id: 'c', status: 's', action: {} }, 1],
    ['a thought', reasoning('r'), 3],
  ] as const)('counts %s', (_, item, tokens) => {
    expect(tokensOf([item as Parameters<typeof tokensOf>[0][number]])).toBe(tokens);
  });
});

describe('takeMoreThan', () => {
  it('compares what tokensOf counts', () => {
    const item = fc.oneof(fc.string({ unit: 'binary' }), fc.string()).map((text) => messageOf('user', text));
    fc.assert(
      fc.property(fc.array(item), fc.nat(200), (items, maxTokens) => {
        expect(takeMoreThan(items, maxTokens)).toBe(tokensOf(items) > maxTokens);
      }),
    );
  });

  it.each([
    ['far too long', 100, 0],
    ['far from too long', 10_000, 0],
    ['near the limit', 260, 1],
  ])('measures the texts of a conversation only near the limit: %s', (_, maxTokens, times) => {
    const measured = jest.spyOn(Buffer, 'byteLength');
    takeMoreThan([messageOf('user', 'x'.repeat(1_000))], maxTokens);
    expect(measured).toHaveBeenCalledTimes(times);
    measured.mockRestore();
  });
});
