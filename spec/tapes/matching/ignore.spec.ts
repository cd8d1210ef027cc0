import { ignoresLabel, toIgnoredMethod, toIgnoredPath, withoutPaths } from '../../../src/tapes/matching/ignore';

const message = {
  result: {
    version: 1,
    'a.b': 2,
    content: [
      { type: 'text', version: 3 },
      { type: 'image', version: 4 },
    ],
  },
};
const without = (...texts: string[]) =>
  withoutPaths(
    texts.map((text) => toIgnoredPath(text) ?? []),
    message,
  );

describe('withoutPaths', () => {
  it.each<[string, string, object]>([
    ['a member', 'message.result.content', { result: { version: 1, 'a.b': 2 } }],
    ['a member whose name is quoted', 'result["a.b"]', { result: { version: 1, content: message.result.content } }],
    ['an item', 'result.content[0]', { result: { ...message.result, content: [{ type: 'image', version: 4 }] } }],
    ['any item', 'result.content[*]', { result: { ...message.result, content: [] } }],
    [
      'a member of any item',
      'result.content[*].version',
      { result: { ...message.result, content: [{ type: 'text' }, { type: 'image' }] } },
    ],
    ['any member', 'result.*', { result: {} }],
    ['any depth', '**.version', { result: { 'a.b': 2, content: [{ type: 'text' }, { type: 'image' }] } }],
    ['nothing for a path that leads nowhere', 'params.x', message],
    ['nothing for a quoted star, which is a name', 'result["*"]', message],
  ])('leaves out %s', (_, path, rest) => {
    expect(without(path)).toEqual(rest);
  });

  it('leaves out several, and changes nothing without paths', () => {
    expect(without('result.version', 'result.content', 'result["a.b"]')).toEqual({ result: {} });
    expect(without()).toBe(message);
  });
});

describe('toIgnoredPath', () => {
  it.each(['', 'a[', 'a..', 'a.**', '["a]', 'a["\\q"].b'])('rejects %j', (text) => {
    expect(toIgnoredPath(text)).toBeUndefined();
  });
});

describe('ignoresLabel', () => {
  const ignored = { paths: [], methods: ['notifications/*', 'tools/call (now)'].map(toIgnoredMethod) };

  it.each([
    ['notifications/message', true],
    ['tools/call (now)', true],
    ['tools/call now', false],
    ['x/notifications/message', false],
  ])('of %s is %s', (label, expected) => {
    expect(ignoresLabel(ignored, ['other', label])).toBe(expected);
  });

  it('is false where nothing is ignored', () => {
    expect(ignoresLabel(undefined, ['a'])).toBe(false);
  });
});
