import fc from 'fast-check';
import { keyLines, redactionOf, redactTape } from '../../../src/tapes/format/redactTape';
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

const BEGIN = '-----BEGIN OPENSSH PRIVATE KEY-----';
const END = '-----END OPENSSH PRIVATE KEY-----';
const PART = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz';
const GONE = '[redacted]';

const following = () => {
  const removed: string[] = [];
  const keys = keyLines((kind) => removed.push(kind));
  return { removed, keys, read: (...lines: string[]) => lines.map((line) => keys.line('err', line)) };
};

describe('keyLines', () => {
  it('removes the lines of a key, and no line behind it', () => {
    const { read, removed, keys } = following();
    expect(read('a', BEGIN, PART, PART, 'QIDAQAB', END, 'b')).toEqual(['a', BEGIN, GONE, GONE, GONE, END, 'b']);
    expect([removed, keys.isOpen()]).toEqual([Array(3).fill('private key'), false]);
  });

  it('removes its parts from lines of a log, and its headers', () => {
    const { read } = following();
    expect(read(`log: ${BEGIN}`, `log: ${PART}`, 'DEK-Info: AES-128-CBC,1234')).toEqual([
      `log: ${BEGIN}`,
      `log: ${GONE}`,
      GONE,
    ]);
  });

  it('removes them from messages, which keep their members', () => {
    const { read } = following();
    const message = (data: string) => JSON.stringify({ method: 'notifications/message', params: { data } });
    expect(read(message(BEGIN), message(PART), message('done'))).toEqual([
      message(BEGIN),
      message(GONE),
      message('done'),
    ]);
  });

  it('keeps what another stream has', () => {
    const { keys } = following();
    keys.line('err', BEGIN);
    expect([keys.line('out', PART), keys.isOpen()]).toEqual([PART, true]);
  });

  it('waits for the end no longer than 64 lines of others', () => {
    const { read, keys } = following();
    read(BEGIN, ...Array<string>(65).fill('{"method":"ping"}'));
    expect([keys.isOpen(), read(PART)]).toEqual([false, [PART]]);
  });

  it('knows a key that begins and ends in one line', () => {
    const { read, keys } = following();
    read(`${BEGIN}\\n${PART}\\n${END}`);
    expect(keys.isOpen()).toBe(false);
  });
});

describe('redaction', () => {
  const GONE = '[redacted]';
  const KEY = 'sk-proj-abcDEF_123456';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  /** A redaction that knows one secret, and what it reports. */
  const redacting = () => {
    const kinds: string[] = [];
    const redaction = redactionOf({ secrets: ['pass-phrase'], onRemoved: (kind) => kinds.push(kind) });
    return { redaction, kinds };
  };

  describe('redactionOf', () => {
    it.each([
      ['my pass-phrase', `my ${GONE}`, ['known value']],
      [`use ${KEY}`, `use ${GONE}`, ['API key']],
      ['/home/ann/x /Users/bo', `/home/${GONE}/x /Users/${GONE}`, ['home path', 'home path']],
      ['C:\\Users\\ann\\x', `C:\\Users\\${GONE}\\x`, ['home path']],
      ['a.b+c@mail.example', GONE, ['e-mail']],
      [`/home/${GONE}/x`, `/home/${GONE}/x`, []],
      ['nothing of that kind', 'nothing of that kind', []],
    ])('makes %s to %s', (text, expected, reported) => {
      const { redaction, kinds } = redacting();
      expect([redaction.text(text), kinds]).toEqual([expected, reported]);
    });

    it('removes a value wherever it occurs, once it was removed as a whole', () => {
      const { redaction, kinds } = redacting();
      expect(redaction.text('a hunter22 b')).toBe('a hunter22 b');
      redaction.object({ apiKey: 'hunter22' });
      expect(redaction.text('a hunter22 b')).toBe(`a ${GONE} b`);
      expect([redaction.learned(), kinds]).toEqual([['hunter22'], ['named value', 'known value']]);
    });

    it('learns no more than 500 values, so that a server which makes them up stops no recorder', () => {
      const { redaction } = redacting();
      const texts = Array.from({ length: 600 }, (_, i) => redaction.text(`api_key=Zq9${1000 + i}abcdefg`));
      expect([redaction.learned().length, texts.filter((text) => text.includes('Zq9'))]).toEqual([500, []]);
    });

    it.each([
      ['API_KEY=abcd1234 efgh', 'abcd1234'],
      ['--token "abcd-1234"', 'abcd-1234'],
      ['authorization: Basic dXNlcjpwdzE=', 'dXNlcjpwdzE='],
      ['sent Bearer abc.def-gh1', 'abc.def-gh1'],
      ['passphrase: one two three', 'one two three'],
      ['"password": "one two three"', 'one two three'],
    ])('learns from %s', (text, secret) => {
      const { redaction } = redacting();
      expect(redaction.text(text)).not.toContain(secret);
      expect(redaction.learned()).toEqual([secret]);
      expect(redaction.text(`x ${secret} y`)).toBe(`x ${GONE} y`);
    });

    it.each(['token = request.headers.get("x-1")', 'apiKey: process.env.API_KEY,', 'secret: ab1', 'token: required'])(
      'learns nothing from %s',
      (text) => {
        const { redaction } = redacting();
        redaction.text(text);
        expect(redaction.learned()).toEqual([]);
      },
    );

    it.each([
      ['hunter22', true],
      ['correct-horse-battery-bay', true],
      ['required', false],
      ['Bearer-Token', false],
      ['a1', false],
      [7, false],
    ])('learns %j: %j', (value, isLearned) => {
      const { redaction } = redacting();
      redaction.object({ apiKey: value, secret: value });
      expect(redaction.learned()).toEqual(isLearned ? [value] : []);
    });
  });

  describe('an object', () => {
    it.each<[string, object, object, string[]]>([
      ['members by their names     ', { apiKey: 'abc', a: 1 }, { apiKey: GONE, a: 1 }, ['named value']],
      ['numbers too                ', { password: 7 }, { password: GONE }, ['named value']],
      ['no ids of requests         ', { progressToken: 'abc' }, { progressToken: 'abc' }, []],
      ['no counts                  ', { input_tokens: 7 }, { input_tokens: 7 }, []],
      ['nothing that is empty      ', { apiKey: '', b: null, c: true }, { apiKey: '', b: null, c: true }, []],
      ['nothing twice              ', { apiKey: GONE }, { apiKey: GONE }, []],
      ['names that hold secrets    ', { [KEY]: 1 }, { [GONE]: 1 }, ['API key']],
      [
        'values beside their names  ',
        { name: 'X-Api-Key', value: 'abc' },
        { name: 'X-Api-Key', value: GONE },
        ['named value'],
      ],
      ['values beside their keys   ', { key: 'TOKEN', value: 'abc' }, { key: 'TOKEN', value: GONE }, ['named value']],
      [
        'no values beside sentences ',
        { name: 'the token of', value: 'abc' },
        { name: 'the token of', value: 'abc' },
        [],
      ],
      [
        'arguments behind their flag',
        { a: ['--api-key', 'abc', 'x'] },
        { a: ['--api-key', GONE, 'x'] },
        ['named value'],
      ],
      ['no flags behind flags      ', { a: ['--token', '--all'] }, { a: ['--token', '--all'] }, []],
      ['no numbers of tokens       ', { a: ['--max-tokens', '7'] }, { a: ['--max-tokens', '7'] }, []],
      ['inside lists and objects   ', { a: [{ b: [KEY] }] }, { a: [{ b: [GONE] }] }, ['API key']],
      ['inside bytes               ', { chunk: base64(KEY) }, { chunk: base64(GONE) }, ['API key']],
      ['inside what is no base64   ', { chunk: `${KEY} !` }, { chunk: `${GONE} !` }, ['API key']],
      ['no bytes without secrets   ', { dataBase64: base64('ok') }, { dataBase64: base64('ok') }, []],
    ])('redacts %s', (_, before, after, reported) => {
      const { redaction, kinds } = redacting();
      expect([redaction.object({ ...before }), kinds]).toEqual([after, reported]);
    });
  });

  describe('a line', () => {
    it.each([
      ['keeps a line without secrets as it was written', '{ "a" : 1.0 }', '{ "a" : 1.0 }'],
      ['redacts a message                             ', `{"a":"${KEY}"}`, `{"a":"${GONE}"}`],
      ['redacts what is not JSON as a text             ', `{"a":"${KEY}"`, `{"a":"${GONE}"`],
    ])('%s', (_, line, expected) => {
      expect(redacting().redaction.line(line)).toBe(expected);
    });

    it('takes a message that nests too deep for a text', () => {
      const deep = `${'['.repeat(100_000)}"${KEY}"${']'.repeat(100_000)}`;
      expect(redacting().redaction.line(deep)).toBe(deep.replace(KEY, GONE));
    });
  });

  describe('personal data', () => {
    it.each([
      ['/home/ann/x /Users/bo', '/home/[redacted]/x /Users/[redacted]', ['home path', 'home path']],
      ['C:\\Users\\ann\\x D:/Users/bo', 'C:\\Users\\[redacted]\\x D:/Users/[redacted]', ['home path', 'home path']],
      ['write to a.b+c@mail.example.org!', 'write to [redacted]!', ['e-mail']],
      ['/home/[redacted]/x', '/home/[redacted]/x', []],
      ['@types/node, a@b', '@types/node, a@b', []],
    ])('makes %s to %s', (text, expected, reported) => {
      const { redaction, kinds } = redacting();
      expect([redaction.text(text), kinds]).toEqual([expected, reported]);
    });
  });
});
