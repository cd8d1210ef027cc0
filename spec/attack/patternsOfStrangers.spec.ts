/** Attacks the promise that no text of a stranger holds up a command: patterns that come with a tape, and texts that patterns are tried on. */
import { EMPTY, of } from 'rxjs';
import { changesOf } from '../../src/agent/appServer/items/items';
import { toPlainText } from '../../src/agent/modelHttp/failures';
import { namedFiles } from '../../src/agent/safety/namedFiles';
import { summarizeArgv } from '../../src/agent/safety/parseCommand';
import { climbsBack } from '../../src/agent/safety/trustedPaths';
import { toDone } from '../../src/agent/toolServers/callTool';
import { isProtectedName } from '../../src/executor/sandbox/closedPlaces';
import { maskAddress, maskAddresses } from '../../src/io/log/maskAddress';
import { redactText } from '../../src/io/log/redactText';
import { holdsPassword } from '../../src/io/log/secretNames';
import { toSingleLine } from '../../src/io/mcpHttp/readEvents';
import { ConfigError } from '../../src/settings/faults/configError';
import { toTable } from '../../src/settings/layer';
import { toSources } from '../../src/settings/layers/sources';
import { parseCalls } from '../../src/settings/rules/parseCalls';
import { fileReasonOf } from '../../src/streams/text/reasons';
import { keyLines, redactTape } from '../../src/tapes/format/redactTape';
import { toIgnoredMethod } from '../../src/tapes/matching/ignore';
import { toMask } from '../../src/tapes/matching/mask';
import { contentsOf } from '../../src/tapes/page/contents';
import { freeName } from '../../src/tapes/specWriter/toHoles';

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

const listed = (text: string) => ({
  kind: 'entry' as const,
  lineNumber: 1,
  entry: { t: 1, dir: 'out', line: JSON.stringify([text, text]) },
});

const filesIn = (word: string) =>
  namedFiles({ marksOf: () => EMPTY, wordsIn: () => of([]) })(['x', word], { folder: '/', programs: [] }).subscribe();

const movedTo = (diff: string) =>
  changesOf({ changes: [{ path: 'a', kind: { type: 'update', move_path: 'b', movePath: 'b' }, diff }] });

const failedAt = (path: string) =>
  Object.assign(new Error(`ENAMETOOLONG: name too long, open '${path}'`), { syscall: 'open' });

describe('a pattern of a stranger', () => {
  it.each(['(a+)+$', '(a|a)*$', '(?:a*)*b', '^(?=(a+)+b)'])('is stopped: %s', (pattern) => {
    const mask = toMask({ names: [], own: [new RegExp(pattern, 'g')] });
    expect(() => mask({ text: `${'a'.repeat(60)}!` })).toThrow(/^The masks have a pattern that takes too long/);
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
    ...[
      'key=',
      'key:',
      '=pwd',
      '=sid',
      'key://',
      'seed=',
      'key="',
      "pass='",
      'curl -u=',
      'hook.k/aa/aa/aa/',
      'mysql\t',
      'aws=',
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
    ['addresses in a text', maskAddresses, 'a+'.repeat(MANY)],
    ['a list in a message', (text) => redactTape([listed(text)], []), `x-${'key'.repeat(MANY / 8)}`],
    ['a word of a command', filesIn, '{'.repeat(MANY)],
    ['a word of a command', filesIn, 'a'.repeat(MANY)],
    ['a script', (text) => summarizeArgv(['bash', '-c', text]), `${'echo a\n'.repeat(MANY)}`],
    ['a list of a tool', (text) => toDone({ structuredContent: [...text] }), 'a'.repeat(MANY)],
    ['a diff of an agent', movedTo, `${'\n'.repeat(MANY)}Moved to: ${' '.repeat(MANY)}x`],
    ['a path in an error', (path) => fileReasonOf(failedAt(path)), ", 0 '".repeat(MANY)],
    ['a page of a server', toPlainText, '<'.repeat(MANY)],
    ['a page of a server', toPlainText, '<style '.repeat(MANY / 7)],
    [
      'an image in a tape',
      (data) => contentsOf({ type: 'image', mimeType: 'image/png', data }),
      `+${'\t'.repeat(MANY)}!`,
    ],
    ['a name in a tape', (name) => freeName(name, new Set()), `a${'_'.repeat(MANY)}0`],
    [
      'a comment in rules',
      (text) =>
        parseCalls({ file: 'a', parameters: {}, fault: (where, what) => new ConfigError([`${where}: ${what}`]) }, text),
      `#${'#'.repeat(MANY)}`,
    ],
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
