import fc from 'fast-check';
import { toPlain, toVisible, toVisibleLines } from '../../../src/io/log/toPlain';
import { anyText } from '../../support/anyText';

const plain = toPlain((text) => text.replaceAll('hush', '*'));

describe('toPlain', () => {
  it('hides secrets at any depth, by name and by look', () => {
    const fields = { a: [{ headers: { Authorization: 'x', tokens: { id: 'y', n: null } } }], b: 'hush', hush: 1 };
    expect(plain(fields)).toEqual({
      a: [{ headers: { Authorization: '[redacted]', tokens: { id: '[redacted]', n: null } } }],
      b: '*',
      '*': 1,
    });
  });

  it('makes text of what JSON cannot hold', () => {
    const fields = {
      big: 7n,
      nan: Number.NaN,
      none: undefined,
      call: Symbol('s'),
      at: new Date(0),
      off: new Date(Number.NaN),
    };
    expect(plain(fields)).toEqual({
      big: '7',
      nan: 'NaN',
      call: 'Symbol(s)',
      at: '1970-01-01T00:00:00.000Z',
      off: null,
    });
  });

  it('opens errors, maps and sets, and only measures bytes', () => {
    const error = Object.assign(new Error('hush'), { stack: 'at', code: 'E' });
    expect(plain({ error, map: new Map([['k', 1]]), set: new Set([2]), bytes: Buffer.from('abc') })).toEqual({
      error: { name: 'Error', message: '*', stack: 'at', code: 'E' },
      map: [['k', 1]],
      set: [2],
      bytes: '[3 bytes]',
    });
  });

  it('stops at circles, but not at twins', () => {
    const twin = { x: 1 };
    const round: Record<string, unknown> = { left: twin, right: twin };
    round.self = round;
    expect(plain(round)).toEqual({ left: { x: 1 }, right: { x: 1 }, self: '[circular]' });
  });

  it('stops at depth and at width', () => {
    const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => [inner], 'end');
    const wide = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, i]));
    expect(JSON.stringify(plain({ deep }))).toContain('[deep]');
    expect(plain({ wide }).wide).toMatchObject({ k99: 99, '…': '50 more' });
    expect(plain({ list: Array(150).fill(0) }).list).toHaveLength(101);
  });

  it('names what it could not read', () => {
    const trap = new Proxy({}, { ownKeys: () => { throw new Error('no'); } }); // biome-ignore format: one line
    const getter = { get x() { throw new Error('hush'); } }; // biome-ignore format: one line
    expect(plain({ trap, getter })).toEqual({
      trap: '[unreadable: Error: no]',
      getter: { x: '[unreadable: Error: *]' },
    });
    expect(plain(trap)).toEqual({ fields: '[unreadable: Error: no]' });
  });
});

/** What no terminal may get, and no reader would see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\u0007', '\n', '\r', '\t', '\b', '\u007f', '\u202e', '\u2066', '\u200b'),
    fc.constantFrom('\ufeff', '\u2028', '\u00ad', '\u061c', '\u3164', '\ufe0f', '\u{e0041}', '\ud800', '[31m', '\\'),
    anyText({ minLength: 1, maxLength: 1 }),
  ),
});

describe('toVisible', () => {
  it.each([
    ['plain text stays', 'Grüße, 日本語, Ω 🚀', 'Grüße, 日本語, Ω 🚀'],
    ['a colour', '\u001b[31mred', '\\u001b[31mred'],
    ['a title of the window', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
    ['a C1 control', '\u009b2J', '\\u009b2J'],
    ['line breaks and tabs', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['text that runs backwards', 'a\u202etxt.exe', 'a\\u202etxt.exe'],
    ['zero-width characters', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['characters behind the first plane', '\u{e0041}', '\\udb40\\udc41'],
    ['half of a pair', 'a\ud800b', 'a\\ud800b'],
    ['nothing', '', ''],
  ])('shows %s', (_, text, expected) => {
    expect(toVisible(text)).toBe(expected);
  });

  it('leaves nothing unseen, and changes nothing twice', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = toVisible(text);
        expect(shown).not.toMatch(UNSEEN);
        expect(toVisible(shown)).toBe(shown);
      }),
    );
  });

  it('leaves a line of JSON the same value', () => {
    fc.assert(
      fc.property(hostile, (text) =>
        expect(JSON.parse(toVisible(JSON.stringify({ [text]: text })))).toEqual({ [text]: text }),
      ),
    );
  });
});

describe('toVisibleLines', () => {
  it('keeps line breaks and shows all else', () => {
    expect(toVisibleLines('a\u001b[2J\n\tb\n')).toBe('a\\u001b[2J\n\\tb\n');
  });
});
