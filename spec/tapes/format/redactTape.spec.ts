import fc from 'fast-check';
import { redactTape } from '../../../src/tapes/format/redactTape';
import { streamRedactor } from '../../../src/tapes/format/streamRedactor';
import type { Entry, TapeItem } from '../../../src/tapes/format/tape';
import { toTapeLine } from '../../../src/tapes/format/tapeLines';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const item = (line: object | string, more: object = {}): TapeItem => ({
  kind: 'entry',
  lineNumber: 2,
  entry: { t: 1, dir: 'in', line: typeof line === 'string' ? line : JSON.stringify(line), ...more },
});
const meta: TapeItem = { kind: 'meta', lineNumber: 1, meta: { version: 1 } };

/** The one line of a tape after redaction, and the kinds of what was removed. */
const redacted = (line: object | string, secrets: string[] = []) => {
  const { items, removed } = redactTape([meta, item(line)], secrets);
  const [, entry] = items as [TapeItem, { entry: Entry }];
  return { line: entry.entry.line, kinds: removed.map(({ kind }) => kind) };
};

const REDACTED = '[redacted]';
const params = (value: object) => ({ jsonrpc: '2.0', id: 1, method: 'm', params: value });

describe('redactTape', () => {
  it('takes a message that nests deeper than anybody can follow for a text', () => {
    const deep = `${'['.repeat(100_000)}"sk-proj-abcDEF_123456"${']'.repeat(100_000)}`;
    expect(redacted(deep).line).toBe(deep.replace('sk-proj-abcDEF_123456', REDACTED));
  });

  it('leaves no value of a telling name beside what nests so deep', () => {
    const line = `{"deep":${'['.repeat(5_000)}${']'.repeat(5_000)},"password":{"of":"all the doors"}}`;
    const { deep, ...rest } = JSON.parse(redacted(line).line);
    expect(rest).toEqual({ password: { of: REDACTED } });
    expect(JSON.stringify(deep)).toContain(REDACTED);
  });

  it.each<[string, object, object, string]>([
    ['a key', { text: 'use sk-proj-abcDEF_123456 now' }, { text: `use ${REDACTED} now` }, 'API key'],
    ['a value known to be secret', { text: 'my pass-phrase' }, { text: `my ${REDACTED}` }, 'known value'],
    ['a member of a telling name', { apiKey: 'abc' }, { apiKey: REDACTED }, 'named value'],
    ['a number of a telling name', { secret: 7 }, { secret: REDACTED }, 'named value'],
    ['a home folder', { cwd: '/home/ann/work' }, { cwd: `/home/${REDACTED}/work` }, 'home path'],
    ['a home folder of macOS', { cwd: '/Users/ann' }, { cwd: `/Users/${REDACTED}` }, 'home path'],
    ['a home folder of Windows', { cwd: 'C:\\Users\\ann\\x' }, { cwd: `C:\\Users\\${REDACTED}\\x` }, 'home path'],
    ['an address', { text: 'to ann.b+c@mail.example.org!' }, { text: `to ${REDACTED}!` }, 'e-mail'],
    ['an argument', { argv: ['x', '--api-key', 'abc'] }, { argv: ['x', '--api-key', REDACTED] }, 'named value'],
    ['an argument in a text', { run: 'x --token abc -y' }, { run: `x --token ${REDACTED} -y` }, 'named value'],
    [
      'a value beside its name',
      { headers: [{ name: 'X-Api-Key', value: 'abc' }] },
      { headers: [{ name: 'X-Api-Key', value: REDACTED }] },
      'named value',
    ],
    [
      'a key in other bytes',
      { deltaBase64: base64('token=abc') },
      { deltaBase64: base64(`token=${REDACTED}`) },
      'named value',
    ],
    ['a key in bytes', { chunk: base64('ghp_0123456789abcdefABCDEF') }, { chunk: base64(REDACTED) }, 'GitHub token'],
  ])('removes %s, and reports it', (_, before, after, kind) => {
    const { line, kinds } = redacted(params(before), ['pass-phrase']);
    expect(JSON.parse(line)).toEqual(params(after));
    expect(kinds).toEqual([kind]);
  });

  it.each<[string, object]>([
    ['a progress token', { _meta: { progressToken: 'abc' } }],
    ['counts of tokens', { input_tokens: 7, total_token_usage: { output_tokens: 8 } }],
    ['arguments that count', { argv: ['--max-tokens', '4096', '--token', '--verbose'] }],
    ['names in a list', { required: ['password', 'user'] }],
    ['bytes without a secret', { chunk: base64('made it\n') }],
    ['an address of a machine', { url: 'http://127.0.0.1:80/@x' }],
  ])('keeps %s, to the letter', (_, value) => {
    const line = JSON.stringify(params(value)).replace('{', '{ ');
    expect(redacted(line)).toEqual({ line, kinds: [] });
  });

  it('removes from lines that are no JSON, from meta and from bad lines as well', () => {
    const bad: TapeItem = { kind: 'bad', lineNumber: 3, reason: 'cut off', text: '{"t":1,"line":"password=abc' };
    const dirty: TapeItem = { ...meta, meta: { command: ['--token', 'xoxb-1234567890'] } } as TapeItem;
    const { items, removed } = redactTape([dirty, item('Authorization: Bearer abcdefgh'), bad], []);
    expect(items.map(toTapeLine).join('\n')).not.toMatch(/abc|xoxb/);
    expect(removed.map(({ lineNumber }) => lineNumber)).toEqual([1, 2, 3]);
  });

  it('writes into the meta of each session what was removed, and adds one where there is none', () => {
    expect(redactTape([meta, item('a@b.example')], []).items[0]).toMatchObject({ meta: { redacted: { 'e-mail': 1 } } });
    expect(redactTape([item('nothing')], []).items[0]).toMatchObject({ kind: 'meta', meta: { redacted: {} } });
  });

  it('adds it to a session without meta that comes before another one', () => {
    const { items } = redactTape([item('a@b.example'), meta, item('x')], []);
    expect(items.filter(({ kind }) => kind === 'meta')).toHaveLength(2);
    expect(items[0]).toMatchObject({ kind: 'meta', meta: { redacted: { 'e-mail': 1 } } });
  });

  it('counts nothing in what an earlier redaction wrote', () => {
    const { removed } = redactTape([{ ...meta, meta: { redacted: { 'GitHub token': 2 } } } as TapeItem, item('x')], []);
    expect(removed).toEqual([]);
  });

  it('removes from members of an entry that another recorder added', () => {
    const { items } = redactTape([item('x', { raw: 'ghp_0123456789abcdefABCDEF', env: { API_KEY: 'abc' } })], []);
    expect(items[1]).toMatchObject({ entry: { line: 'x', raw: REDACTED, env: { API_KEY: REDACTED } } });
  });

  it('removes a value everywhere once it was removed in one place, stderr and earlier lines included', () => {
    const key = 'kq7-zz81-xw';
    const { items } = redactTape(
      [item(`using ${key}`, { dir: 'err' }), item(params({ apiKey: key })), item(params({ text: `with ${key}!` }))],
      [],
    );
    expect(items.map(toTapeLine).join('\n')).not.toContain(key);
  });

  it('removes a generated value of a header of any name', () => {
    const headers = { 'X-Acme': 'q8Zr4vT1mN7bK2xW', Accept: 'text/html' };
    const hidden = { ...headers, 'X-Acme': REDACTED };
    expect(redacted(params({ headers })).line).toBe(JSON.stringify(params({ headers: hidden })));
    expect(redacted(params({ 'X-Acme': headers['X-Acme'] })).kinds).toEqual([]);
  });

  it('does not take an ordinary text for a secret that stood in a named member once', () => {
    const { items } = redactTape([item(params({ token: 'required' })), item(params({ text: 'a required field' }))], []);
    expect(items.map(toTapeLine).join('\n')).toContain('a required field');
  });

  it('forgets the bytes of a line that it changed', () => {
    const { items } = redactTape([item('a@b.example \ufffd', { bytes: base64('a@b.example') })], []);
    expect(JSON.stringify(items)).not.toContain(base64('a@b.example'));
  });

  it('leaves no secret and breaks no message, wherever the secret stands', () => {
    const secret = 'S3cret/"value';
    const holding = fc.jsonValue().map((value) => ({ ...params({ value }), more: [{ deep: `x${secret}y` }, secret] }));
    fc.assert(
      fc.property(holding, (message) => {
        const { line } = redacted(message, [secret]);
        expect(line).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', id: 1, method: 'm' });
      }),
    );
  });
});

describe('streamRedactor', () => {
  const streamed = (items: readonly TapeItem[]) => {
    const { learn, redact, end } = streamRedactor([]);
    for (const one of items) learn(one);
    const first = items.flatMap((one) => redact(one));
    const { items: rest, removed } = end();
    return { lines: [...first, ...rest].map((one) => (one.kind === 'entry' ? one.entry.line : one.kind)), removed };
  };

  it('removes what redactTape removes, also from pieces', () => {
    const bad: TapeItem = { kind: 'bad', lineNumber: 9, reason: 'is cut off', text: 'my-very-own-word' };
    const items = [
      meta,
      item(params({ text: 'it is my-very-own-word' })),
      item({ method: 'a/delta', params: { delta: 'use sk-proj-abc' } }),
      item({ method: 'a/delta', params: { delta: 'DEF_123456 now' } }),
      item({ id: 1, result: {} }),
      item(params({ password: 'my-very-own-word' })),
      bad,
    ];
    const { items: whole, removed } = redactTape(items, []);
    const { lines, removed: counts } = streamed(items);
    expect(lines).toEqual(whole.map((one) => (one.kind === 'entry' ? one.entry.line : one.kind)));
    expect(lines.join()).not.toMatch(/DEF_123456/);
    expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(removed.length);
  });

  it('marks a tape without a first line as redacted', () => {
    expect(streamed([item(params({ text: 'x' }))]).lines[0]).toBe('meta');
  });
});
