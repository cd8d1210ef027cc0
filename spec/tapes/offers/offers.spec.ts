import { isNothing, offersOf, offersReader } from '../../../src/tapes/offers/offers';
import { readParts } from '../../../src/tapes/session/readParts';
import { sessionFrom } from '../../support/tapes';

type Lines = Parameters<typeof sessionFrom>;

/** The lists of a session as plain objects, read in parts of at most so many entries. */
const listed = (entries: number, ...lines: Lines) => {
  const parts = readParts({}, offersReader(), { entries, chars: 1e6 });
  for (const entry of sessionFrom(...lines).entries) parts.add(entry);
  return Object.fromEntries(Object.entries(parts.end()).map(([kind, items]) => [kind, [...items.values()]]));
};

describe('offersReader', () => {
  const pages: Lines = [
    [0, 'in', { id: 1, method: 'tools/list' }],
    [1, 'out', { id: 1, result: { tools: [{ name: 'a' }], nextCursor: 'x' } }],
    [2, 'in', { id: 2, method: 'tools/list', params: { cursor: 'x' } }],
    [3, 'out', { id: 2, result: { tools: [{ name: 'b' }, { noName: 1 }, { name: 'a', title: 'A' }] } }],
  ];

  it.each([1, 2, 3, 9])(
    'joins the pages of a list, and takes each item as it was listed last, in parts of %d',
    (size) => {
      expect(listed(size, ...pages)).toEqual({ tools: [{ name: 'a', title: 'A' }, { name: 'b' }] });
    },
  );

  it.each([1, 2, 9])('takes the last list of several, so that a removed tool is missing, in parts of %d', (size) => {
    const again: Lines = [
      [4, 'in', { id: 3, method: 'tools/list' }],
      [5, 'out', { id: 3, result: { tools: [{ name: 'b' }] } }],
      [6, 'in', { id: 4, method: 'tools/list' }],
      [7, 'out', { id: 4, error: { code: 1, message: 'busy' } }],
    ];
    expect(listed(size, ...pages, ...again)).toEqual({ tools: [{ name: 'b' }] });
  });

  it('reads each kind by the member that names its items', () => {
    const lines: Lines = [
      [0, 'in', { id: 1, method: 'prompts/list' }],
      [1, 'out', { id: 1, result: { prompts: [{ name: 'p' }] } }],
      [2, 'in', { id: 2, method: 'resources/list' }],
      [3, 'out', { id: 2, result: { resources: [{ uri: 'file:///a', name: 'x' }] } }],
      [4, 'in', { id: 3, method: 'resources/templates/list' }],
      [5, 'out', { id: 3, result: { resourceTemplates: [] } }],
    ];
    expect(listed(9, ...lines)).toEqual({
      prompts: [{ name: 'p' }],
      resources: [{ uri: 'file:///a', name: 'x' }],
      resourceTemplates: [],
    });
  });

  it('finds nothing if nothing was listed, or only the server asked', () => {
    expect(listed(9, [0, 'in', { id: 1, method: 'tools/list' }])).toEqual({});
    const asked: Lines = [
      [0, 'out', { id: 1, method: 'tools/list' }],
      [1, 'in', { id: 1, result: { tools: [{ name: 'a' }] } }],
    ];
    expect(listed(9, ...asked)).toEqual({});
  });
});

describe('offersOf', () => {
  it.each([[undefined], [null], [[]], [{}], [{ tools: {} }]])('finds nothing in %j', (value) => {
    expect(isNothing(offersOf(value))).toBe(true);
  });

  it('leaves out what has no name', () => {
    expect(offersOf({ tools: [1, null, {}, { name: 1 }] })).toEqual({ tools: new Map() });
  });
});
