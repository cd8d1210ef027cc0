/** Attacks the promise that whoever reads a redacted tape finds no key: wherever it stands, whatever its name and its form. */
import fc from 'fast-check';
import { redactTape } from '../../src/tapes/format/redactTape';
import type { TapeItem } from '../../src/tapes/format/tape';
import { toTapeLine } from '../../src/tapes/format/tapeLines';

const item = (line: unknown, more: object = {}): TapeItem => ({
  kind: 'entry',
  lineNumber: 2,
  entry: { t: 1, dir: 'out', line: typeof line === 'string' ? line : JSON.stringify(line), ...more },
});
const resultOf = (text: string): object => ({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } });

/** The tape after redaction, as a file has it. */
const redacted = (...items: TapeItem[]): string => redactTape(items, []).items.map(toTapeLine).join('\n');

const characters = (unit: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...unit), minLength: length, maxLength: length });
const HEX = '0123456789abcdef';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** A key that is known by its form. */
const key = characters(LETTERS, 36).map((random) => `ghp_${random}`);

describe('a redacted tape', () => {
  it.each<[string, (key: string) => string]>([
    ['a colour', (one) => `\u001b[01;32m${one}\u001b[0m`],
    ['colours within', (one) => `${one.slice(0, 6)}\u001b[1m${one.slice(6)}`],
    ['the title of a window', (one) => `\u001b]0;x\u0007${one}`],
    ['a line of JSON in a text', (one) => JSON.stringify({ out: `a\n${one}\nb` })],
    [
      'a tab in JSON in JSON in JSON',
      (one) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: `x\t${one}` }) }) }),
    ],
    ['the escape of a program', (one) => `print("a\\x3d${one}")`],
    ['an escape of JSON', (one) => `\\u003d${one}`],
    ['an escaped letter', (one) => `\\u0067${one.slice(1)}`],
    ['an escape of a URL', (one) => `q=a%3D${one}`],
    ['an escape of HTML', (one) => `value&#x3D;${one}`],
    ['base64', (one) => Buffer.from(`TOKEN is ${one}\n`).toString('base64')],
    ['base64 of URLs in a URL', (one) => `data:text/plain;base64,${Buffer.from(`x ${one}`).toString('base64url')}`],
    ['base64 in base64', (one) => Buffer.from(Buffer.from(`it is ${one}`).toString('base64')).toString('base64')],
  ])('has no key behind or in %s', (_, written) => {
    fc.assert(
      fc.property(key, (secret) => {
        const text = written(secret);
        const tape = redacted(item(resultOf(`see ${text}`)), item({ a: { [text]: 1, anything: [text] } }), item(text));
        expect(tape).not.toContain(secret.slice(-20));
        expect(tape).not.toContain(Buffer.from(secret.slice(-18)).toString('base64').slice(2, -4));
        expect(tape).toContain('redacted');
      }),
      { numRuns: 20 },
    );
  });

  it.each(['Token', 'token', 'ApiKey', 'Negotiate', 'Hawk', 'X', 'AWS4-HMAC-SHA256'])(
    'has no credential of the scheme %s',
    (scheme) => {
      const secret = 'd41d8cd98f00b204e9800998ecf8427e';
      const texts = ['Authorization', 'proxy-authorization'].flatMap((name) => [
        `> ${name}: ${scheme} ${secret}\r\nHost: x`,
        `curl -H '${name}: ${scheme} ${secret}' https://x`,
        JSON.stringify({ headers: { [name]: `${scheme} ${secret}` } }),
        JSON.stringify([name, `${scheme} ${secret}`]),
      ]);
      const lines = [
        { Authorization: [`${scheme} ${secret}`] },
        { name: 'authorization', value: `${scheme} ${secret}` },
      ];
      expect(
        redacted(...texts.flatMap((text) => [item(text), item(resultOf(text))]), ...lines.map((line) => item(line))),
      ).not.toContain(secret);
    },
  );

  it('has no key in any member of an entry, whatever its name', () => {
    const secret = `sk-proj-${LETTERS.slice(0, 40)}`;
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, value) => {
        fc.pre(!['t', 'line'].includes(name));
        const tape = redacted(item('{}', { [name]: [value, { message: `bad key ${secret}` }] }));
        expect(tape).not.toContain(secret);
      }),
    );
    expect(
      redacted(
        item('{}', {
          head: `X-Token: ${secret}\r\n\r\n`,
          fault: { message: secret },
          bytes: Buffer.from(secret).toString('base64'),
        }),
      ),
    ).not.toMatch(/sk-proj|c2stcHJv/);
  });

  it('has no private key that each of many lines has a part of', () => {
    const parts = ['MIIEpAIBAAKCAQEA', 'Zr8', 'x+/=='].map((part, i) =>
      part.padEnd(i === 2 ? 5 : 64, LETTERS.slice(i)),
    );
    const lines = ['-----BEGIN RSA PRIVATE KEY-----', ...parts, '-----END RSA PRIVATE KEY-----'];
    const message = (data: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data },
    });
    const [plain, logged] = [
      redacted(...lines.map((line) => item(line, { dir: 'err' }))),
      redacted(...lines.map((line) => item(message(line)))),
    ];
    for (const part of parts.slice(0, 2)) expect(plain + logged).not.toContain(part);
  });

  it.each<[string, string, string, number]>([
    ['any issuer', 'acme_', LETTERS, 32],
    ['any issuer and kind', 'acme-prod-', LETTERS, 40],
    ['hexadecimal digits', 'acme-eu1-', HEX, 40],
    ['capitals', 'ACME-', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 40],
    ['no prefix', '', LETTERS, 64],
    ['a variable', 'export ACME_PASS=', LETTERS, 20],
    ['a name that ends with key', 'acme-signing-key: ', HEX, 40],
    ['a part of a connection', 'Server=db;Uid=sa;Pwd=', LETTERS, 20],
  ])('has nearly no generated token of %s', (_, before, unit, length) => {
    const secrets = fc.sample(characters(unit, length), 200);
    const tape = redacted(...secrets.map((secret) => item(resultOf(`result: ${before}${secret}; end`))));
    expect(secrets.filter((secret) => tape.includes(secret)).length).toBeLessThan(12);
  });

  it('has no long value that a name shows to be secret, and prints none', () => {
    const token = Buffer.from(Array.from({ length: 36_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256)).toString(
      'base64',
    );
    expect(
      redacted(item({ jsonrpc: '2.0', id: 1, result: { pageToken: token } }), item(`seen ${token}`)),
    ).not.toContain(token.slice(0, 64));
  });
});
