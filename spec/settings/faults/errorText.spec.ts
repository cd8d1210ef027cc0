import { cut, dotted, found, listed } from '../../../src/settings/faults/errorText';
import { type Toml, tableOf } from '../../../src/settings/layer';

describe('dotted', () => {
  it.each([
    [['a', 'b-c_1'], 'a.b-c_1'],
    [['a', '/w x'], 'a."/w x"'],
    [['a', 'b.c'], 'a."b.c"'],
    [[''], '""'],
    [[], ''],
  ])('of %j is %s', (path, text) => {
    expect(dotted(path)).toBe(text);
  });
});

describe('cut', () => {
  it.each([
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(80)}…`],
  ])('%#', (text, expected) => {
    expect(cut(text)).toBe(expected);
  });
});

describe('found', () => {
  it.each<[Toml | undefined, string[], string]>([
    [undefined, ['a'], 'missing'],
    [tableOf(), ['a'], 'a table'],
    [['x'], ['a'], 'a list'],
    ['x', ['a'], '"x"'],
    [5n, ['a'], '5'],
    [5, ['a'], '5.0'],
    [0.5, ['a'], '0.5'],
    [true, ['a'], 'true'],
    ['x', ['api_key'], 'a string'],
    [5n, ['api_key'], 'a number'],
    ['x', ['http_headers', 'X'], 'a string'],
    ['nats://t0ken@h/n', ['a'], '"nats://[redacted]@h/n"'],
    ['x'.repeat(90), ['a'], `"${'x'.repeat(79)}…`],
  ])('of %p at %j is %s', (value, path, text) => {
    expect(found(value, path)).toBe(text);
  });
});

describe('listed', () => {
  it('quotes each name', () => {
    expect([listed(['a', 'b'], '`'), listed([], '"')]).toEqual(['`a`, `b`', '']);
  });
});
