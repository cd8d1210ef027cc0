import { type Leaf, mapMessage, visitBoth, visitMessage } from '../../../src/tapes/handles/handleTexts';

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
