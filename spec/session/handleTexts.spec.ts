import fc from 'fast-check';
import { mapMessage, tokensIn, visitBoth, visitMessage, wholeKey, withTokens } from '../../src/session/handleTexts';

type Leaf = Parameters<typeof wholeKey>[0];

const leaf = (text: string, isNamed: boolean, isNumber = false): Leaf => ({ text, isNumber, isNamed });

describe('wholeKey', () => {
  it.each<[Leaf, string | undefined]>([
    [leaf('', true), undefined],
    [leaf('a', true), '= a'],
    [leaf('a', false), undefined],
    [leaf('sess_1', false), 'sess_1'],
    [leaf('sess_1', true), 'sess_1'],
    [leaf('with 1 space', false), undefined],
    [leaf('2026-01-02', false), undefined],
    [leaf('123', false), undefined],
    [leaf('123', true), '123'],
    [leaf('12', true), '= 12'],
    [leaf('123', true, true), '123'],
    [leaf('123', false, true), undefined],
  ])('of %j is %j', (value, key) => {
    expect(wholeKey(value)).toBe(key);
  });
});

describe('tokensIn', () => {
  it.each([
    ['started with PID 4711, in abc_12-3', ['4711', 'abc_12-3']],
    ['words only, 12, 2026-01-02', []],
    ['-_call_9x-_, --12345--', ['call_9x', '12345']],
  ])('of %j is %j', (text, tokens) => {
    expect(tokensIn(text)).toEqual(tokens);
  });

  it('are those that withTokens changes, in the same order', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'B', '1', '2', '9', '-', '_', ' ', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(texts, (text) => {
        const all: string[] = [];
        withTokens(text, (token) => void all.push(token));
        expect(tokensIn(text)).toEqual(all.filter((token) => tokensIn(token).length > 0));
      }),
    );
  });
});

describe('withTokens', () => {
  it('changes tokens and nothing between them', () => {
    expect(withTokens('pid=471, a-b', (token) => (token === '471' ? '9' : undefined))).toBe('pid=9, a-b');
  });
});

const message = {
  id: 1,
  method: 'm',
  params: { taskId: 't', requestId: 7, list: [{ pid: 4 }, true], _meta: { progressToken: 'p' } },
  result: 'r',
};
const found: Leaf[] = [leaf('t', true), leaf('4', true, true), leaf('r', false)];

describe('visitMessage', () => {
  it('visits the leaves of the body without names of requests, in a batch too', () => {
    const leaves: Leaf[] = [];
    visitMessage([message, 'text', { error: 5 }], (one) => leaves.push(one));
    expect(leaves).toEqual([...found, leaf('5', false, true)]);
  });
});

describe('mapMessage', () => {
  it('changes the leaves that visitMessage visits, and keeps those without a change', () => {
    const changed = mapMessage([message, 'text'], ({ text }) => (text === 'r' ? undefined : `<${text}>`));
    expect(changed).toEqual([
      { ...message, params: { ...message.params, taskId: '<t>', list: [{ pid: '<4>' }, true] } },
      'text',
    ]);
  });
});

describe('visitBoth', () => {
  it('visits the leaves that are in one place of both', () => {
    const other = { params: { taskId: 'u', list: [{ pid: 5 }], extra: 1 }, result: { r: 1 } };
    const pairs: [string, string][] = [];
    visitBoth(message, other, (one, two) => pairs.push([one.text, two.text]));
    expect(pairs).toEqual([
      ['t', 'u'],
      ['4', '5'],
    ]);
  });

  it.each([
    ['text', message],
    [message, 'text'],
    [{ params: [1] }, { params: 1 }],
    [{ params: 1 }, { params: [1] }],
    [{ params: { a: 1 } }, { params: 7 }],
  ])('visits nothing of %j and %j', (one, two) => {
    const visit = jest.fn();
    visitBoth(one, two, visit);
    expect(visit).not.toHaveBeenCalled();
  });
});
