import { checkScript } from '../../../../src/agent/model/script/scriptSchema';

const faultsOf = (value: unknown) => {
  const checked = checkScript(value);
  return 'faults' in checked ? checked.faults.map(({ path, message }) => ({ path, message })) : [];
};
const step = (own: object) => ({ otherwise: { items: [], ...own } });
const item = (own: object) => ({ otherwise: { items: [own] } });

describe('checkScript', () => {
  it.each<[string, object]>([
    ['an empty one', {}],
    [
      'all kinds of items',
      step({
        items: [
          { text: 'a', deltas: ['a'] },
          { reasoning: ['b'], deltas: 0 },
          { call: 'c', args: {} },
          { call: 'c', args: 'x', id: 'i' },
          { delayMs: 0 },
        ],
      }),
    ],
    [
      'usage, delays and faults',
      step({
        usage: { input_tokens: 0, output_tokens: 1, total_tokens: 1, cached_input_tokens: null },
        delayMs: 0.5,
        deltaDelayMs: 1,
        fault: 'hang',
        faultTimes: 2,
      }),
    ],
    ['a fault with a text', step({ fault: { error: 'no', retryable: true }, usage: null })],
    ['scenes', { scenes: [{ when: '^a', answers: [{ items: [] }] }] }],
  ])('takes %s', (_, script) => {
    expect(checkScript(script)).toEqual({ script });
  });

  it.each<[unknown, PropertyKey[], string]>([
    [7, [], 'expected object'],
    [{ scenes: [{ when: '(', answers: [] }] }, ['scenes', 0, 'when'], 'not a regular expression'],
    [{ scenes: [{ when: 'a' }] }, ['scenes', 0, 'answers'], 'missing, expected array'],
    [{ extra: 1, more: 2 }, [], 'unknown key "extra", "more"'],
    [step({ delayMs: -1 }), ['otherwise', 'delayMs'], 'must be at least 0'],
    [step({ faultTimes: 1.5 }), ['otherwise', 'faultTimes'], 'expected int'],
    [step({ fault: 'break' }), ['otherwise', 'fault'], 'matches none of the forms allowed here'],
    [step({ usage: { output_tokens: 1 } }), ['otherwise', 'usage', 'input_tokens'], 'missing, expected number'],
    [item({ text: 7 }), ['otherwise', 'items', 0, 'text'], 'expected string'],
    [item({ txt: 'a' }), ['otherwise', 'items', 0], 'matches none of the forms allowed here'],
  ])('finds the fault of %j', (script, path, message) => {
    expect(faultsOf(script)).toEqual([{ path, message }]);
  });
});
