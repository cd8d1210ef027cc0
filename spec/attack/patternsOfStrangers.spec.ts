/** Attacks the promise that no text of a stranger holds up a command: patterns that come with a tape, and texts that patterns are tried on. */
import { climbsBack } from '../../src/agent/safety/trustedPaths';
import { isProtectedName } from '../../src/executor/sandbox/closedPlaces';
import { maskAddress } from '../../src/io/log/maskAddress';
import { redactText } from '../../src/io/log/redactText';
import { holdsPassword } from '../../src/io/log/secretNames';
import { toSingleLine } from '../../src/io/mcpHttp/readEvents';
import { toTable } from '../../src/settings/layer';
import { toSources } from '../../src/settings/layers/sources';
import { keyLines } from '../../src/tapes/format/redactTape';
import { toIgnoredMethod } from '../../src/tapes/matching/ignore';
import { toMask } from '../../src/tapes/matching/mask';

/** Milliseconds of this process. A busy machine takes longer, and no more of these. */
const msOf = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
};

/** A line of a stream in which a private key has begun. */
const inOpenKey = (text: string): string => {
  const { line } = keyLines(() => {});
  line('err', '-----BEGIN PRIVATE KEY-----');
  return line('err', text);
};

describe('a pattern of a stranger', () => {
  it.each(['(a+)+$', '(a|a)*$', '(?:a*)*b', '^(?=(a+)+b)'])('is stopped: %s', (pattern) => {
    const mask = toMask({ names: [], own: [new RegExp(pattern, 'g')] });
    expect(() => mask({ text: `${'a'.repeat(60)}!` })).toThrow(/^A pattern of the masks takes too long/);
  });

  it('is applied if it takes no time', () => {
    expect(toMask({ names: [], own: [/build \d+/g] })({ text: 'build 7' })).toEqual({ text: '<masked>' });
  });

  it('of methods takes no more time with many stars', () => {
    const pattern = toIgnoredMethod(`${'*a'.repeat(20)}*b`);
    expect(msOf(() => pattern.test('a'.repeat(50_000)))).toBeLessThan(1000);
    expect([pattern.test(`${'a'.repeat(20)}xb`), pattern.test('ab')]).toEqual([true, false]);
  });
});

describe('a text of a stranger', () => {
  const hide = redactText({ secrets: ['a'.repeat(300), `${'a'.repeat(300)}b`], maxChars: Number.POSITIVE_INFINITY });

  it.each([
    ...[
      'a',
      'A1',
      'eyJ-',
      'eyJ.',
      'sk-',
      '://',
      '://a:',
      'token',
      'token=',
      'key: ',
      '"',
      '\\',
      '\\\\n',
      '%',
      '%25',
      '&#',
      '&amp;',
      '=',
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '\u001b[',
      '\u001b]',
      '\u009b',
      'curl ',
      'machine a login ',
      'aws ',
      'a@',
      'a.',
      '@a.',
      '--token ',
      '--',
    ],
    ...[
      'Authorization: ',
      "password='",
      ':0:a',
      'hooks/',
      '/home/',
      'eyJhbGciOi',
      'YQ==',
      'YWFhYWFhYWFhYWFh\n',
      'Private-Lines: 1',
      'x-',
      'acme_',
    ],
  ])('of many "%s" takes no more time than its length', (part) => {
    expect(msOf(() => hide(part.repeat(200_000 / part.length)))).toBeLessThan(2000);
  });

  const MANY = 200_000;
  it.each<[string, (text: string) => unknown, string]>([
    ['a path of a model', climbsBack, '='.repeat(MANY)],
    ['a path of a model', climbsBack, `a/${'./'.repeat(MANY)}`],
    ['a name in a patch', isProtectedName, `${'.'.repeat(MANY)}a`],
    ['a line after a key', inOpenKey, `x ${'!'.repeat(MANY)}`],
    ['a line after a key', inOpenKey, `${'\n'.repeat(MANY)}!`],
    ['a body of a server', toSingleLine, `a${' '.repeat(MANY)}b`],
    ['an address', maskAddress, `x://${'@'.repeat(MANY)}#\n`],
    ['a value with a password', holdsPassword, 'a'.repeat(MANY)],
  ])('of many characters takes no more time than its length: %s', (_, run, text) => {
    expect(msOf(() => run(text))).toBeLessThan(2000);
  });

  it('with thousands of keys takes no more time for each', () => {
    const layer = Array.from({ length: 20_000 }, (_, i) => {
      const path = ['a', `k${i}`, 'x'];
      return { path, value: i, where: () => `${i}`, folder: '/' };
    });
    const base = { path: [], value: toTable([]), where: () => 'base', folder: '/' };
    expect(
      msOf(() => {
        const { placeOf, table } = toSources([[base], layer]);
        for (const { path } of layer) placeOf(path);
        const place = placeOf(['a', 'k7', 'x']).where([]);
        expect([Object.keys(table.a as object).length, place]).toEqual([20_000, '7']);
      }),
    ).toBeLessThan(2000);
  });
});
