import fc from 'fast-check';
import {
  type Leaf,
  mapMessage,
  pairWords,
  tokensIn,
  visitBoth,
  visitMessage,
  withWords,
  wordsIn,
} from '../../../src/tapes/handles/handleTexts';

const leaf = (text: string, name: string, isNamed: boolean, isNumber = false): Leaf => ({
  text,
  name,
  isNumber,
  isNamed,
});

const message = {
  id: 1,
  method: 'm',
  params: { taskId: 't', requestId: 7, list: [{ pid: 4 }, true], _meta: { progressToken: 'p' } },
  result: 'r',
};
const found: Leaf[] = [leaf('t', 'taskId', true), leaf('4', 'pid', true, true), leaf('r', 'result', false)];

describe('visitMessage', () => {
  it('visits the leaves of the body without names of requests, in a batch too', () => {
    const leaves: Leaf[] = [];
    visitMessage([message, 'text', { error: 5 }], (one) => leaves.push(one));
    expect(leaves).toEqual([...found, leaf('5', 'error', false, true)]);
  });
});

describe('a leaf', () => {
  it.each<[object, boolean]>([
    [{ sessionId: 'a' }, true],
    [{ fd: 3 }, true],
    [{ fd: 'in' }, false],
    [{ name: 'a' }, false],
  ])('of %j is in a member for handles: %s', (result, isNamed) => {
    const leaves: Leaf[] = [];
    visitMessage({ result }, (one) => leaves.push(one));
    expect(leaves).toEqual([expect.objectContaining({ isNamed })]);
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

const texts = fc.string({ unit: fc.constantFrom('a', 'B', '1', '2', '9', '-', '_', ' ', 'é'), maxLength: 40 });

describe('wordsIn', () => {
  it('finds words with and without the joints around them', () => {
    expect(wordsIn('at _a-1_, -- b')).toEqual([
      { whole: 'at', inner: 'at', at: 0 },
      { whole: '_a-1_', inner: 'a-1', at: 3 },
      { whole: '--', inner: '', at: 10 },
      { whole: 'b', inner: 'b', at: 13 },
    ]);
  });
});

describe('tokensIn', () => {
  it.each([
    ['started with PID 4711, in abc_12-3', ['4711', 'abc_12-3']],
    ['words only', []],
    ['-_call_9x-_ 5', ['-_call_9x-_', 'call_9x', '5']],
  ])('of %j is %j', (text, tokens) => {
    expect(tokensIn(text)).toEqual(tokens);
  });

  it('are the words with a digit', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = wordsIn(text).flatMap(({ whole, inner }) => (inner === whole ? [whole] : [whole, inner]));
        expect(tokensIn(text)).toEqual(words.filter((word) => /\d/.test(word)));
      }),
    );
  });
});

describe('withWords', () => {
  it.each([
    ['pid=471, a-b', 'pid=9, a-b'],
    ['--471-- x471', '--9-- x471'],
    ['in _4_', 'in 7'],
  ])('of %j is %j', (text, expected) => {
    const changes: Record<string, string> = { 471: '9', _4_: '7', 4: 'never, as the whole word is known' };
    expect(withWords(text, (word) => changes[word])).toBe(expected);
  });

  it('leaves any text as it is where no word changes', () => {
    fc.assert(fc.property(texts, (text) => expect(withWords(text, () => undefined)).toBe(text)));
  });
});

describe('pairWords', () => {
  const paired = (text: string, other: string) => pairWords(text, other).map(([a, b]) => [a.whole, b.whole]);

  it.each<[string, string, string, string[][]]>([
    ['with digits by their number', 'id a1 of two', 'the id b2', [['a1', 'b2']]],
    ['without by their number', 'id Abc', 'id Xyz', [['Abc', 'Xyz']]],
    ['where only one has digits', 'id a1', 'id Xyz', [['a1', 'Xyz']]],
    ['by the text before them', 'opened a1', 'at 17:00 opened b2', [['a1', 'b2']]],
    ['not at all where nothing fits', 'opened a1', 'closed', []],
  ])('pairs words %s', (_, text, other, pairs) => {
    expect(paired(text, other)).toEqual(expect.arrayContaining(pairs));
    if (pairs.length === 0) expect(paired(text, other).map(([word]) => word)).not.toContain('a1');
  });
});
