import { atOnce } from '../../../src/streams/pausing';
import { redactionOf } from '../../../src/tapes/format/redactTape';

const GONE = '[redacted]';
const KEY = 'sk-proj-abcDEF_123456';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A redaction that knows one secret, and what it reports. */
const redacting = () => {
  const kinds: string[] = [];
  const redaction = redactionOf({ secrets: ['pass-phrase'], onRemoved: (kind) => kinds.push(kind) });
  const { text, line, object, learned, mayHold } = redaction;
  return {
    redaction: {
      text: (one: string) => atOnce(text(one)),
      line: (one: string) => atOnce(line(one)),
      object: (one: object) => atOnce(object({ ...one })),
      learned,
      mayHold,
    },
    kinds,
  };
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
    ['no values beside sentences ', { name: 'the token of', value: 'abc' }, { name: 'the token of', value: 'abc' }, []],
    ['arguments behind their flag', { a: ['--api-key', 'abc', 'x'] }, { a: ['--api-key', GONE, 'x'] }, ['named value']],
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
