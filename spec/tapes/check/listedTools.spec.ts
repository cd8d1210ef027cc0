import { findDrift, listedTools, toolsOf } from '../../../src/tapes/check/checkSession';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const listed = (...lines: Parameters<typeof sessionFrom>) => listedTools(toSessionIndex(sessionFrom(...lines)));
const tool = (name: string, own: object = {}) => ({ name, definition: { name, ...own } });
const drift = (name: string, text: string) => ({ rule: 'drift', lineNumber: 0, what: `tool ${name}`, text });

describe('listedTools', () => {
  it('joins the pages of a list, and takes each tool as it was listed last', () => {
    expect(
      listed(
        [0, 'in', { id: 1, method: 'tools/list' }],
        [1, 'out', { id: 1, result: { tools: [{ name: 'a' }], nextCursor: 'x' } }],
        [2, 'in', { id: 2, method: 'tools/list', params: { cursor: 'x' } }],
        [3, 'out', { id: 2, result: { tools: [{ name: 'b' }, { noName: 1 }, { name: 'a', title: 'A' }] } }],
      ),
    ).toEqual([tool('a', { title: 'A' }), tool('b')]);
  });

  it('takes the last list where there are several, so that a removed tool is missing', () => {
    expect(
      listed(
        [0, 'in', { id: 1, method: 'tools/list' }],
        [1, 'out', { id: 1, result: { tools: [{ name: 'a' }, { name: 'b' }] } }],
        [2, 'in', { id: 2, method: 'tools/list' }],
        [3, 'out', { id: 2, result: { tools: [{ name: 'b' }] } }],
        [4, 'in', { id: 3, method: 'tools/list' }],
        [5, 'out', { id: 3, error: { code: 1, message: 'busy' } }],
      ),
    ).toEqual([tool('b')]);
  });

  it('is undefined where none was listed, or only the server asked', () => {
    expect(listed([0, 'in', { id: 1, method: 'tools/list' }])).toBeUndefined();
    expect(
      listed([0, 'out', { id: 1, method: 'tools/list' }], [1, 'in', { id: 1, result: { tools: [{ name: 'a' }] } }]),
    ).toBeUndefined();
  });

  it('is empty where the server has no tools', () => {
    expect(listed([0, 'in', { id: 1, method: 'tools/list' }], [1, 'out', { id: 1, result: { tools: [] } }])).toEqual(
      [],
    );
  });
});

describe('toolsOf', () => {
  it.each([[undefined], [null], [[]], [{}], [{ tools: {} }], [{ tools: [1, null, {}, { name: 1 }] }]])(
    'finds none in %j',
    (value) => {
      expect(toolsOf(value)).toEqual([]);
    },
  );
});

describe('findDrift', () => {
  const before = { a: 1, b: 1, c: 1, d: 1 };
  it.each([
    ['nothing where they are the same  ', [tool('a')], [tool('a')], []],
    ['a tool that is gone              ', [tool('a')], [], [drift('a', 'the server no longer lists it')]],
    ['a tool that is new               ', [], [tool('a')], [drift('a', 'it is not in the baseline')]],
    [
      'three differences of one tool    ',
      [tool('a', before)],
      [tool('a', { a: 2, b: 2, c: 2, d: 2 })],
      [drift('a', ['a', 'b', 'c'].map((name) => `tool.${name}: recorded 1, now 2`).join('; '))],
    ],
  ])('finds %s', (_, baseline, tools, findings) => {
    expect(findDrift(baseline, tools)).toEqual(findings);
  });
});
