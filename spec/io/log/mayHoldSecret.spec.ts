import fc from 'fast-check';
import { mayHoldSecret } from '../../../src/io/log/mayHoldSecret';
import { redactText } from '../../../src/io/log/redactText';
import { BEARER, FLAGGED, NAMED, PASSPHRASE, PREFIXED, TOKENS } from '../../../src/io/log/secretShapes';

const hide = redactText({ secrets: [], maxChars: Number.POSITIVE_INFINITY });

const PATTERNS: [string, RegExp][] = [
  ...[...TOKENS, ...PREFIXED].map(([kind, pattern]): [string, RegExp] => [`${kind} ${pattern.source}`, pattern]),
  ...Object.entries({ BEARER, FLAGGED, NAMED, PASSPHRASE }),
];

/** What a pattern asks of the surroundings of a secret. */
const LOOKS = /\\b|\(\?<?[!=](?:[^()]|\([^()]*\)(?:\{\d+\})?)*\)|\|\$(?=\))|(?<=^\()\^|\$$/g;

/** Texts that a pattern describes, wherever they stand. */
const matching = ({ source }: RegExp): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^(?:${source.replaceAll(LOOKS, '')})$`));

const around = fc.constantFrom('', ' ', '\n', '\t', '"', 'x', '\n\n', '.', "'");

/** As a recorder looks at lines: a character for each byte of UTF-8. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

describe('mayHoldSecret', () => {
  it.each(PATTERNS)('is true for a text in which a secret is found, as it is and in JSON: %s', (_, pattern) => {
    let found = 0;
    fc.assert(
      fc.property(matching(pattern), around, around, (secret, before, behind) => {
        const text = before + secret + behind;
        if (hide(text) === text) return;
        found += 1;
        const line = JSON.stringify({ a: [text] });
        const texts = [text, line, JSON.stringify({ b: line })].flatMap((one) => [one, asBytes(one)]);
        expect(texts.filter((one) => !mayHoldSecret(one))).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(found).toBeGreaterThan(0);
  });

  it.each([
    '/home/somebody/x',
    'C:\\Users\\Somebody\\x',
    'file:///Users/somebody',
    'me@example.org',
    '\nme.too@mail.example.org',
    '\\u0073k-',
    'a\\/b',
  ])('is true for a person, and for an escape that could hide anything: %j', (text) => {
    expect([mayHoldSecret(text), mayHoldSecret(JSON.stringify([text]))]).toEqual([true, true]);
  });

  it.each(['{"chunk":"eA=="}', '{"deltaBase64":"eA=="}'])('is true for bytes: %s', (text) => {
    expect(mayHoldSecret(text)).toBe(true);
  });

  it.each(['postgres://admin:p\u00e0ss@db/x', 'bearer\u00a0abcdefgh12345', 'db:5432:\u00e0:user:hunter22'])(
    'is true for the bytes of a text in which a secret is found: %s',
    (text) => {
      expect(hide(text)).not.toBe(text);
      expect([mayHoldSecret(text), mayHoldSecret(asBytes(text))]).toEqual([true, true]);
    },
  );

  it('knows the id of progress from a token', () => {
    const message = { method: 'tools/call', params: { name: 'read', _meta: { progressToken: 12 } } };
    expect(mayHoldSecret(JSON.stringify(message))).toBe(false);
    expect(mayHoldSecret(JSON.stringify({ text: JSON.stringify(message) }))).toBe(true);
    expect(mayHoldSecret('{"progresstoken":12}')).toBe(true);
  });

  it.each([
    '',
    'x'.repeat(10_000),
    'import { map } from "rxjs"; // the path of a pattern is risky, task by task, at https://example.org/@types/x',
    '3f9a1c7e5b2d8046fa91c3e7d5b28460a1c3e5f7',
    '2026-11-23T08:00:00.000Z 550e8400-e29b-41d4-a716-446655440000',
    'grüße, 日本',
  ])('is false for an ordinary text: %j', (text) => {
    expect([mayHoldSecret(text), hide(text)]).toEqual([false, text]);
  });

  it.each([
    'a',
    'eyJ',
    'eyJa.',
    'sk-',
    '://',
    ':0:',
    ':00:a',
    'token',
    '-----BEGIN ',
    '@a.',
    'a@b',
    'auth\\',
    '.aaaaaa',
    'aA0',
  ])('is quick with a hostile text of "%s"', (part) => {
    const before = process.cpuUsage();
    mayHoldSecret(part.repeat(100_000 / part.length));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });
});
