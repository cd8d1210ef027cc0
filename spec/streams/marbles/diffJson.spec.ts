import fc from 'fast-check';
import { differenceLines, diffJson, pairUp, toDifferenceText } from '../../../src/streams/marbles/diffJson';

describe('diffJson', () => {
  it('names each place that differs', () => {
    const [before, now] = [
      { a: [1, { b: 2 }], c: 3, gone: 4 },
      { a: [1, { b: 5 }, 6], c: 3, came: null },
    ];
    expect(diffJson(before, now, 'params').map(toDifferenceText)).toEqual([
      'params.a[1].b: recorded 2, now 5',
      'params.a[2]: recorded nothing, now 6',
      'params.gone: recorded 4, now nothing',
      'params.came: recorded nothing, now null',
    ]);
  });

  it('pairs the items of lists by likeness, so that one that is gone is one difference', () => {
    const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name, description: `does ${name}`, inputSchema: {} }));
    const [a, b, c, d] = tools as [object, object, object, object];
    const now = [a, { ...c, description: 'does more' }, d, { name: 'e' }];
    expect(diffJson(tools, now, 'tools').map(toDifferenceText)).toEqual([
      'tools[1]: recorded {"name":"b","description":"does b","inputSchema":{}}, now nothing',
      'tools[2].description: recorded "does c", now "does more"',
      'tools[3]: recorded nothing, now {"name":"e"}',
    ]);
    expect(diffJson([1, 2, 3], [1, 9, 3], 'x').map(toDifferenceText)).toEqual(['x[1]: recorded 2, now 9']);
    expect(diffJson([a, b], [b, a], 'x').map(({ path }) => path)).toEqual(['x[0]', 'x[1]']);
  });

  it('cuts long texts around the place where they part', () => {
    const [left, right] = ['a'.repeat(500), 'z'.repeat(500)];
    expect(diffJson({ t: `${left}b${right}` }, { t: `${left}c${right}` }, 'm').map(toDifferenceText)).toEqual([
      `m.t: recorded "…${'a'.repeat(40)}b${'z'.repeat(79)}…", now "…${'a'.repeat(40)}c${'z'.repeat(79)}…"`,
    ]);
    expect(diffJson({ t: left }, { t: 1 }, 'm').map(toDifferenceText)).toEqual([
      `m.t: recorded "${'a'.repeat(119)}…, now 1`,
    ]);
  });

  it('quotes a member with blanks or characters that are not seen', () => {
    expect(diffJson({}, { 'a\nb': { 'c d': 1 } }, 'x').map(({ path }) => path)).toEqual(['x["a\\nb"]']);
    expect(diffJson({ 'c d': 2 }, { 'c d': 1 }, 'x').map(({ path }) => path)).toEqual(['x["c d"]']);
  });

  it('finds nothing between a value and its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(diffJson(value, structuredClone(value), 'x')).toEqual([])));
  });

  it('finds something between values that are not equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        if (!same && diffJson(a, b, 'x').length === 0) expect(a).toEqual(b);
      }),
    );
  });
});

describe('differenceLines', () => {
  const linesOf = (recorded: unknown, now: unknown, columns: number) =>
    differenceLines(['recorded', 'now'], columns)({ path: 'm.t', recorded, now });

  it('is one line where it fits', () => {
    expect(linesOf(1, 2, 40)).toEqual(['m.t: recorded 1, now 2']);
  });

  it('puts longer values below each other, cut around the place where they part', () => {
    const [left, right] = ['a'.repeat(500), 'z'.repeat(500)];
    expect(linesOf(`${left}b${right}`, `${left}c${right}`, 40)).toEqual([
      'm.t:',
      `  recorded "…aaaaaaaab${'z'.repeat(16)}…"`,
      `  now      "…aaaaaaaac${'z'.repeat(16)}…"`,
    ]);
    expect(linesOf({ t: left }, 'b', 30)).toEqual(['m.t:', '  recorded {"t":"aaaaaaaaaa…', '  now      "b"']);
  });

  it('takes no more columns than there are, from 40 on', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.string({ maxLength: 300 }),
        fc.integer({ min: 40, max: 150 }),
        (a, b, columns) => {
          const plain = (text: string) => text.replace(/["\\]/g, '');
          for (const line of linesOf(plain(a), plain(b), columns)) expect(line.length).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});

const pairs = (before: string, now: string): string[] =>
  pairUp([...before], [...now], (a, b) => a === b).map((pair) => `${pair.before ?? '-'}${pair.now ?? '-'}`);

describe('pairUp', () => {
  it.each([
    ['nothing', '', '', []],
    ['what is the same', 'abc', 'abc', ['aa', 'bb', 'cc']],
    ['a replacement, in its place', 'abc', 'axc', ['aa', 'bx', 'cc']],
    ['what is missing', 'abc', 'ac', ['aa', 'b-', 'cc']],
    ['what was added', 'ac', 'abc', ['aa', '-b', 'cc']],
    ['one side only', '', 'ab', ['-a', '-b']],
  ])('pairs %s', (_, before, now, expected) => {
    expect(pairs(before, now)).toEqual(expected);
  });

  it('loses nothing of either run, keeps both orders, and pairs a run with itself', () => {
    const runs = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(runs, runs, (before, now) => {
        const found = pairUp(before, now, (a, b) => a === b);
        expect(found.flatMap((pair) => pair.before ?? [])).toEqual(before);
        expect(found.flatMap((pair) => pair.now ?? [])).toEqual(now);
        expect(pairUp(before, before, (a, b) => a === b).every((pair) => pair.before === pair.now)).toBe(true);
      }),
    );
  });
});
