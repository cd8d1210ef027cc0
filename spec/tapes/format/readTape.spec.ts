import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readTape, tapeJsonSchema } from '../../../src/tapes/format/readTape';
import { type Entry, type TapeItem, toSessions } from '../../../src/tapes/format/tape';
import { toTapeLine } from '../../../src/tapes/format/tapeLines';
import { marbles } from '../../support/marbles';
import { through } from '../../support/streams';

const entry = (t: number, more: object = {}): Entry => ({ t, dir: 'in', line: 'x', ...more });
const text = {
  m: '{"meta":{"version":1,"other":[7]}}',
  v: '{"meta":{"version":2}}',
  a: JSON.stringify(entry(1)),
  b: JSON.stringify(entry(2.5, { more: { deep: true }, seam: 'model' })),
  p: JSON.stringify(entry(0.5)),
  c: '{"t":1,"dir":"in","line":"cut o',
  n: '[1]',
  w: '{"t":"soon","dir":"in","line":"x"}',
  h: '{"t":1,"dir":"out","line":"x","status":99}',
  x: '\u0000\u0001PNG\ufffd',
  e: '  ',
};
const read = (...lines: string[]): TapeItem[] => through(readTape(), lines);

describe('readTape', () => {
  it(
    'emits each line as it comes, with its number; blank lines count and emit nothing',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -m-a-e-b-|', text);
      const expected = '   -M-A---B-|';
      expectObservable(line$.pipe(readTape())).toBe(expected, {
        M: { kind: 'meta', lineNumber: 1, meta: { version: 1, other: [7] } },
        A: { kind: 'entry', lineNumber: 2, entry: entry(1) },
        B: { kind: 'entry', lineNumber: 4, entry: entry(2.5, { more: { deep: true }, seam: 'model' }) },
      });
    }),
  );

  it(
    'is never, empty and broken as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<string>('---').pipe(readTape())).toBe('---');
      expectObservable(cold<string>('--|').pipe(readTape())).toBe('--|');
      expectObservable(cold<string>('--#').pipe(readTape())).toBe('--#');
    }),
  );

  it.each([
    ['is cut off', text.c, /^is cut off or not JSON/],
    ['is not an object', text.n, /^is not a JSON object$/],
    ['lacks a time', text.w, '`t` must be a number, not a string'],
    ['has a status that no response has', text.h, '`status` must be at least 200'],
    ['is binary', text.x, /^is not text; the file may be binary$/],
    [
      'has a time that is no date with any beginning',
      '{"t":1e15,"dir":"in","line":""}',
      '`t` must be at most 100000000000000',
    ],
    [
      'nests too deep',
      `{"meta":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}}`,
      /^is nested deeper than 256 levels$/,
    ],
    ['has a broken meta', '{"meta":7}', '`meta` must be an object, not a number'],
  ])('reports what is wrong with a line that %s, and reads on', (_, bad, reason) => {
    expect(read(text.a, bad, text.b)).toEqual([
      expect.objectContaining({ kind: 'entry', lineNumber: 1 }),
      { kind: 'bad', lineNumber: 2, reason: expect.stringMatching(reason), text: bad },
      expect.objectContaining({ kind: 'entry', lineNumber: 3 }),
    ]);
  });

  it('passes over the mark that editors put before the first line', () => {
    expect(read(`\ufeff${text.m}`, text.a)).toEqual(read(text.m, text.a));
  });

  it('warns of a time before the last one, and of a version it does not know; both stay usable', () => {
    expect(read(text.v, text.a, text.p).map(({ kind, lineNumber }) => [lineNumber, kind])).toEqual([
      [1, 'meta'],
      [1, 'warning'],
      [2, 'entry'],
      [3, 'entry'],
      [3, 'warning'],
    ]);
  });

  it('begins a session with each meta, and one for entries that have none', () => {
    const { sessions, problems } = toSessions(read(text.a, text.m, text.b, text.c, text.v));
    expect(sessions.map(({ meta, entries }) => [meta, entries.map(({ lineNumber }) => lineNumber)])).toEqual([
      [{}, [1]],
      [{ version: 1, other: [7] }, [3]],
      [{ version: 2 }, []],
    ]);
    expect(problems.map(({ lineNumber }) => lineNumber)).toEqual([4, 5]);
  });
});

describe('toTapeLine', () => {
  const tapes = join(__dirname, '../../fixtures/tapes');

  it.each(readdirSync(tapes))('writes %s as it was read', (name) => {
    const lines = readFileSync(join(tapes, name), 'utf8').trimEnd().split('\n');
    const items = read(...lines);
    expect(items.filter(({ kind }) => kind === 'bad' || kind === 'warning')).toEqual([]);
    expect(items.map(toTapeLine)).toEqual(lines);
  });

  it('loses no member of any entry', () => {
    const any = fc.record({ t: fc.nat(), dir: fc.string({ minLength: 1 }), line: fc.string(), z: fc.jsonValue() });
    fc.assert(
      fc.property(any, (value) => {
        const [item] = read(JSON.stringify(value));
        expect(JSON.parse(toTapeLine(item as TapeItem) as string)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('tapeJsonSchema', () => {
  it('stands in the docs', () => {
    const schema = readFileSync(join(__dirname, '../../../docs/tape.schema.json'), 'utf8');
    expect(JSON.parse(schema)).toEqual(tapeJsonSchema());
  });
});
