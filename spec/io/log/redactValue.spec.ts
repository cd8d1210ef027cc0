import { redactValue } from '../../../src/io/log/redactValue';
import { atOnce } from '../../../src/streams/pausing';

const GONE = '[redacted]';
const RANDOM = 'q8Zr4vT1mN7bK2xW';

/** The value as it is redacted, and what was removed because of a name. */
const redacting = (value: unknown) => {
  const removed: unknown[] = [];
  function* text(one: string, isId: boolean) {
    yield;
    return isId ? one : one.replaceAll('HUSH', '*');
  }
  return { value: atOnce(redactValue({ text, removed: (one) => removed.push(one) }, value)), removed };
};

describe('redactValue', () => {
  it.each<[string, unknown, unknown, unknown[]]>([
    ['a member of a telling name', { apiKey: 'a' }, { apiKey: GONE }, ['a']],
    [
      'all below such a member',
      { credentials: { a: ['b', 7], n: null } },
      { credentials: { a: [GONE, GONE], n: null } },
      ['b', 7],
    ],
    [
      'what is no schema, whatever it has as a type',
      { password: { type: { toString: 1 }, value: 'a b' }, secret: { type: ['object'], b: 'c' } },
      { password: { type: { toString: GONE }, value: GONE }, secret: { type: [GONE], b: GONE } },
      [1, 'a b', 'object', 'c'],
    ],
    ['a list of headers', ['Authorization', 'Token x', 'Host', 'h'], ['Authorization', GONE, 'Host', 'h'], ['Token x']],
    ['a value beside its name', { header: 'Cookie', v: 'a=b' }, { header: 'Cookie', v: GONE }, ['a=b']],
    ['a password of curl', ['curl', '-u', 'me:pw', '-u', '7:8'], ['curl', '-u', `me:${GONE}`, '-u', '7:8'], ['pw']],
    ['a value beside its label', { label: 'password', value: 'a b' }, { label: 'password', value: GONE }, ['a b']],
    ['an argument', ['-e', 'A=b', '--key=c'], ['-e', `A=${GONE}`, `--key=${GONE}`], ['b', 'c']],
    [
      'a generated value of any header',
      { requestHeaders: { 'X-Acme': RANDOM, Accept: 'text/html' } },
      { requestHeaders: { 'X-Acme': GONE, Accept: 'text/html' } },
      [RANDOM],
    ],
    [
      'such a value in lists of headers',
      { headers: [{ name: 'X-Acme', value: RANDOM }, ['X-Foo', RANDOM], 'X-Bar', RANDOM] },
      { headers: [{ name: 'X-Acme', value: GONE }, ['X-Foo', GONE], 'X-Bar', GONE] },
      [RANDOM, RANDOM, RANDOM],
    ],
    ['texts and names', { aHUSH: ['HUSH'] }, { 'a*': ['*'] }, []],
  ])('removes %s', (_, before, after, removed) => {
    expect(redacting(before)).toEqual({ value: after, removed });
  });

  it.each<[string, unknown]>([
    ['schemas', { password: { type: 'string', description: 'of the user' } }],
    ['lists of names', { allow: ['authorization', 'content-type'], required: ['token', 'user'] }],
    ['ids', { id: 'HUSH', threadId: 'HUSH', call_ids: ['HUSH'] }],
    ['counts', { total_tokens: 7, tokens: { in: 7 } }],
    [
      'headers that find or describe a thing',
      {
        headers: {
          'X-Request-Id': RANDOM,
          ETag: RANDOM,
          'X-Build': RANDOM,
          'X-Tenant': 'acme',
          'User-Agent': 'curl/8.5',
        },
      },
    ],
    ['such a value elsewhere', { branch: RANDOM }],
    ['what has no name', [null, true, 1, '']],
  ])('keeps %s', (_, value) => {
    expect(redacting(value)).toEqual({ value, removed: [] });
  });
});
