import { budgetOf, tokensOf } from '../../../src/agent/compaction/budget';
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
