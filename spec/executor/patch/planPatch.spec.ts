import fc from 'fast-check';
import { parsePatch, planPatch } from '../../../src/executor/patch/checkPatch';
import type { Plan } from '../../../src/executor/patch/plan';
import type { Seen } from '../../../src/executor/patch/seen';
import { atOnce } from '../../../src/streams/pausing';
import { decode, patchOf, plan, planned, textFile } from './support';

const changesOf = ({ files }: Plan) =>
  Object.fromEntries(
    files.map(({ real, before, after, movedTo }) => [
      real,
      [decode(before?.bytes), decode(after?.bytes), ...(movedTo === undefined ? [] : [movedTo])],
    ]),
  );

const SUCCESS = 'Success. Updated the following files:\n';
const blocked = (part: 'file' | 'parent', reason: string): Seen => ({ kind: 'blocked', part, reason });

describe('planPatch', () => {
  it('plans every kind of change, and reports them by kind', () => {
    const made = planned(
      patchOf(
        ...['*** Delete File: d', '*** Update File: u', '@@', '-1', '+2', '*** Add File: a', '+x'],
        ...['*** Update File: from', '*** Move to: to', '@@', '-3', '+4'],
      ),
      { d: 'gone\n', u: '1\n', from: '3\n' },
    );
    expect(changesOf(made)).toEqual({
      '/ws/d': ['gone\n', undefined],
      '/ws/u': ['1\n', '2\n'],
      '/ws/a': [undefined, 'x\n'],
      '/ws/from': ['3\n', undefined, '/ws/to'],
      '/ws/to': [undefined, '4\n'],
    });
    expect(made.summary).toBe(`${SUCCESS}A a\nM u\nM to\nD d\n`);
    expect(made.files.map(({ path, absolute }) => [path, absolute])).toContainEqual(['to', '/ws/to']);
  });

  it.each([
    [
      'a file that is added and updated',
      ['*** Add File: f', '+a', '*** Update File: f', '@@', '-a', '+b'],
      {},
      { '/ws/f': [undefined, 'b\n'] },
    ],
    [
      'two updates of a file',
      ['*** Update File: f', '+b', '*** Update File: f', '@@', '-a'],
      { f: 'a\n' },
      { '/ws/f': ['a\n', 'b\n'] },
    ],
    [
      'a file that is deleted and added',
      ['*** Delete File: f', '*** Add File: f', '+b'],
      { f: 'a\n' },
      { '/ws/f': ['a\n', 'b\n'] },
    ],
    ['a file that is added and deleted', ['*** Add File: f', '+a', '*** Delete File: f'], {}, {}],
    ['a file that is added over another', ['*** Add File: f', '+b'], { f: 'a\n' }, { '/ws/f': ['a\n', 'b\n'] }],
    [
      'a move onto itself',
      ['*** Update File: f', '*** Move to: f', '@@', '-a', '+b'],
      { f: 'a\n' },
      { '/ws/f': ['a\n', 'b\n'] },
    ],
    [
      'a move over another file',
      ['*** Update File: f', '*** Move to: g', '@@', ' a'],
      { f: 'a\n', g: 'g\n' },
      { '/ws/f': ['a\n', undefined, '/ws/g'], '/ws/g': ['g\n', 'a\n'] },
    ],
    [
      'two moves of a file',
      ['*** Update File: f', '*** Move to: g', '@@', ' a', '*** Update File: g', '*** Move to: h', '@@', ' a'],
      { f: 'a\n' },
      { '/ws/f': ['a\n', undefined, '/ws/h'], '/ws/h': [undefined, 'a\n'] },
    ],
    [
      'a new file that moves',
      ['*** Add File: f', '+a', '*** Update File: f', '*** Move to: g', '@@', ' a'],
      {},
      { '/ws/g': [undefined, 'a\n'] },
    ],
    [
      'a file in the place of one that moved',
      ['*** Update File: f', '*** Move to: g', '@@', ' a', '*** Add File: f', '+b'],
      { f: 'a\n' },
      { '/ws/f': ['a\n', 'b\n'], '/ws/g': [undefined, 'a\n'] },
    ],
    [
      'an update that changes nothing',
      ['*** Update File: f', '@@', '-a', '+a'],
      { f: 'a\n' },
      { '/ws/f': ['a\n', 'a\n'] },
    ],
  ])('plans %s', (_, lines, files, expected) => {
    expect(changesOf(planned(patchOf(...lines), files))).toEqual(expected);
  });

  it.each([
    ['*** Update File: f', "the file's own mode"],
    ['*** Update File: f\n*** Move to: g', 'that of the file that moved'],
  ])('keeps the mode: %s', (header) => {
    const f: Seen = { kind: 'file', real: '/ws/f', entry: '/ws/f', file: textFile('a\n', 0o755) };
    const made = planned(patchOf(header, '@@', '-a', '+b'), { f });
    expect(made.files.flatMap(({ after }) => (after ? [after.mode] : []))).toEqual([0o755]);
  });

  it('leaves the mode of a new file to the system, and keeps that of one written over', () => {
    const f: Seen = { kind: 'file', real: '/ws/f', entry: '/ws/f', file: textFile('a\n', 0o600) };
    const made = planned(patchOf('*** Add File: f', '*** Add File: g'), { f });
    expect(made.files.map(({ after }) => after?.mode)).toEqual([0o600, 'default']);
  });

  it('changes the file that a link leads to, and deletes the link', () => {
    const link: Seen = { kind: 'file', real: '/ws/target', entry: '/ws/link', file: textFile('a\n') };
    expect(changesOf(planned(patchOf('*** Update File: link', '@@', '-a', '+b'), { link }))).toEqual({
      '/ws/target': ['a\n', 'b\n'],
    });
    expect(changesOf(planned(patchOf('*** Delete File: link', '*** Add File: link', '+c'), { link }))).toEqual({
      '/ws/link': ['a\n', 'c\n'],
    });
  });

  it('takes two names of one file for one', () => {
    const other: Seen = { kind: 'file', real: '/ws/f', entry: '/ws/f', file: textFile('a\n') };
    const lines = ['*** Update File: f', '@@', '-a', '+b', '*** Update File: ./f', '@@', '-b', '+c'];
    expect(changesOf(planned(patchOf(...lines), { f: other, './f': other }))).toEqual({ '/ws/f': ['a\n', 'c\n'] });
  });

  it.each([
    [
      'the first section without a file',
      ['*** Delete File: d', '*** Update File: f', '+x'],
      'update',
      'No such file or directory (os error 2)',
      {},
    ],
    [
      'a folder',
      ['*** Delete File: d'],
      'delete',
      'Is a directory (os error 21)',
      { d: blocked('file', 'Is a directory (os error 21)') },
    ],
    [
      'a file that was deleted',
      ['*** Delete File: d', '*** Delete File: d'],
      'delete',
      'No such file or directory (os error 2)',
      { d: 'x\n' },
    ],
    [
      'bytes that are no text',
      ['*** Update File: d', '+x'],
      'update',
      'stream did not contain valid UTF-8',
      {
        d: {
          kind: 'file',
          real: '/ws/d',
          entry: '/ws/d',
          file: { ...textFile(''), bytes: new Uint8Array([255]) },
        } satisfies Seen,
      },
    ],
  ])('fails over %s', (_, lines, purpose, reason, files) => {
    expect(plan(patchOf(...lines), files)).toEqual({
      kind: 'unreadable',
      purpose: lines[0] === '*** Delete File: d' && purpose === 'update' ? 'delete' : purpose,
      path: 'd',
      absolute: '/ws/d',
      reason,
    });
  });

  it('names the file in which lines are missing', () => {
    const lines = ['*** Add File: a', '+x', '*** Update File: f', '@@', '-b'];
    expect(plan(patchOf(...lines), { f: 'a\n' })).toEqual({
      kind: 'missingLines',
      lines: ['b'],
      line: 5,
      path: 'f',
      absolute: '/ws/f',
    });
  });

  it('has nothing to do for an empty patch', () => {
    expect(plan(patchOf())).toEqual({ kind: 'empty' });
  });

  it.each([
    [
      'a folder in its place',
      ['*** Add File: f', '+x'],
      { f: blocked('file', 'Is a directory (os error 21)') },
      'Failed to write file f',
    ],
    [
      'a file above it',
      ['*** Add File: f', '+x'],
      { f: blocked('parent', 'Not a directory (os error 20)') },
      'Failed to create parent directories for f',
    ],
    [
      'a folder where it moves to',
      ['*** Update File: g', '*** Move to: f', '@@', ' a'],
      { g: 'a\n', f: blocked('file', '') },
      'Failed to write file f',
    ],
    [
      'no right to write it',
      ['*** Update File: f', '@@', '-a', '+b'],
      {
        f: {
          kind: 'file',
          real: '/ws/f',
          entry: '/ws/f',
          file: { ...textFile('a\n'), access: 'readOnly' },
        } satisfies Seen,
      },
      'Failed to write file f',
    ],
  ])('shows what is wanted, and that it will not work: %s', (_, lines, files, obstacle) => {
    const made = planned(patchOf(...lines), files);
    expect(made.obstacle).toBe(obstacle);
    expect(Object.keys(changesOf(made))).toContain('/ws/f');
  });

  it('names the first of several obstacles', () => {
    const files = { f: blocked('file', ''), g: blocked('parent', '') };
    expect(planned(patchOf('*** Add File: f', '*** Add File: g'), files).obstacle).toBe('Failed to write file f');
  });

  it('needs a view that holds every path', () => {
    const patch = parsePatch(patchOf('*** Delete File: f'));
    if (patch.kind !== 'patch') throw new Error(patch.kind);
    expect(() => atOnce(planPatch(patch, new Map()))).toThrow('the view of the files does not hold f');
  });
});

describe('a patch and its reverse', () => {
  const line = fc.oneof(
    fc.constantFrom('', ' ', 'a', 'b', '-', '+', '@@', '*** End of File', 'ä\u00a0', 'x\t'),
    fc.string(),
  );
  const clean = (text: string) => text.replaceAll(/[\n\r]/g, '');
  const file = fc
    .tuple(fc.array(line.map(clean), { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('end', 'none'))
    .map(([lines, lineEnd, end]) => {
      const text = lines.map((one) => one + lineEnd).join('');
      return { lines, lineEnd, text: end === 'none' && lines.at(-1) !== '' ? text.slice(0, -lineEnd.length) : text };
    });

  /** A patch that replaces some lines of a file by others, the rest of the file around them; and its reverse. */
  const change = (lines: readonly string[], [from, to]: readonly [number, number], put: readonly string[]) => {
    const mark = (sign: string, some: readonly string[]) => some.map((text) => sign + text);
    const [head, taken, tail] = [lines.slice(0, from), lines.slice(from, to), lines.slice(to)];
    const there = [...mark(' ', head), ...mark('-', taken), ...mark('+', put), ...mark(' ', tail)];
    const back = [...mark(' ', head), ...mark('-', put), ...mark('+', taken), ...mark(' ', tail)];
    return { there, back, result: [...head, ...put, ...tail] };
  };

  const apply = (text: string, rows: readonly string[]): string => {
    const made = planned(patchOf('*** Update File: f', ...rows), { f: text });
    return decode(made.files[0]?.after?.bytes) ?? '';
  };

  it('give back the file, with its line ends and without a line feed if there was none', () => {
    const lines = fc.array(line.map(clean), { maxLength: 4 });
    fc.assert(
      fc.property(file, lines, fc.nat(12), fc.nat(4), ({ lines: old, text, lineEnd }, put, start, length) => {
        const from = Math.min(start, old.length);
        const to = Math.min(from + length, old.length);
        const { there, back, result } = change(old, [from, to], put);
        const isOpen = !text.endsWith('\n');
        fc.pre(old.length > 0 && result.length > 0); // an empty file keeps no line ends,
        fc.pre(!isOpen || (old.length > 1 && result.length > 1 && result.at(-1) !== '')); // nor does a line without one
        const changed = apply(text, ['@@', ...there]);
        const whole = result.map((one) => one + lineEnd).join('');
        expect(changed).toBe(isOpen ? whole.slice(0, -lineEnd.length) : whole);
        expect(apply(changed, ['@@', ...back])).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('work in a part of a large file', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `line ${at}\n`).join('');
    const there = ['@@ line 4998', ' line 4999', '-line 5000', '+LINE', '@@', ' line 8999', '+more'];
    const back = ['@@ line 4998', ' line 4999', '-LINE', '+line 5000', '@@', ' line 8999', '-more'];
    expect(apply(apply(many, there), back)).toBe(many);
  });
});

describe('a hostile patch', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '*** Add File: a',
      '*** Delete File: a',
      '*** Update File: a',
      '*** Update File: b',
      '*** Move to: a',
    ),
    fc.constantFrom('*** Move to: b', '*** End of File', '@@', '@@ x', '+x', '-x', ' x', '', ' ', '-', '+'),
  );

  it('has a plan or a failure', () => {
    const text = fc.array(fc.constantFrom('x', '', 'y', ' x'), { maxLength: 6 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 16 }), text, (lines, a) => {
        expect(typeof plan(patchOf(...lines), { a }).kind).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });

  it('does not keep the process busy', () => {
    const chunks = Array.from({ length: 20_000 }, () => ['@@', '-a', '+a', ' a', ' b\u2019']).flat();
    const file = `${'a\n'.repeat(50_000)}b'\n`;
    expect(plan(patchOf('*** Update File: f', ...chunks), { f: file }).kind).toBe('missingLines');
    const alike = [...Array.from({ length: 20_000 }, () => ' a'), '-c'];
    expect(plan(patchOf('*** Update File: f', '@@', ...alike), { f: 'a\n'.repeat(60_000) }).kind).toBe('exhausted');
  });
});
