import fc from 'fast-check';
import { map } from 'rxjs';
import {
  redact,
  requestBody,
  secretsOf,
  toHeaders,
  toSentArguments,
  toShownUrl,
  toUrl,
} from '../../../src/agent/modelHttp/request';
import { isObject } from '../../../src/protocol/jsonrpc/json';
import { marbles } from '../../support/marbles';
import { provider } from '../../support/models';

describe('toUrl', () => {
  it.each([
    [{ baseUrl: 'http://h/v1' }, 'http://h/v1/responses'],
    [{ baseUrl: 'http://h/v1//' }, 'http://h/v1/responses'],
    [
      { baseUrl: 'http://h', queryParams: { 'api version': 'a&b', x: '1' } },
      'http://h/responses?api+version=a%26b&x=1',
    ],
    [{ baseUrl: undefined }, 'https://api.openai.com/v1/responses'],
    [{ baseUrl: 'http://h/v1?v=1' }, 'http://h/v1/responses?v=1'],
    [{ baseUrl: 'http://h/v1/?v=1#x', queryParams: { x: '1' } }, 'http://h/v1/responses?v=1&x=1'],
    [{ baseUrl: 'http://h/v1/responses?v=1' }, 'http://h/v1/responses?v=1'],
    [{ baseUrl: 'http://h/v1/chat/completions/' }, 'http://h/v1/responses'],
  ])('of %j is %s', (own, url) => {
    expect(toUrl(provider(own), 'responses')).toBe(url);
  });

  it('of an account is that of ChatGPT, unless the provider has its own', () => {
    const account = { key: 't', account: {} };
    expect(toUrl(provider({ baseUrl: undefined }), 'responses', account)).toBe(
      'https://chatgpt.com/backend-api/codex/responses',
    );
    expect(toUrl(provider({ baseUrl: 'http://h' }), 'responses', account)).toBe('http://h/responses');
  });
});

describe('toHeaders', () => {
  it('joins all in lower case; those of the provider win', () => {
    const own = {
      httpHeaders: { ACCEPT: 'x', Empty: '' },
      envHttpHeaders: { 'X-Set': 'SET', 'X-Blank': 'BLANK', 'X-None': 'NONE' },
    };
    const env = { SET: ' value ', BLANK: ' ' };
    expect(toHeaders(env, provider(own), { credential: { key: 'k' }, own: { Originator: 'o' } })).toEqual({
      'content-type': 'application/json',
      accept: 'x',
      originator: 'o',
      authorization: 'Bearer k',
      'x-set': 'value',
    });
  });

  it('names the account', () => {
    const credential = { key: 't', account: { id: 'acc1' } };
    expect(toHeaders({}, provider(), { credential, own: {} })).toMatchObject({
      authorization: 'Bearer t',
      'chatgpt-account-id': 'acc1',
    });
  });

  it('has no authorization without a key', () => {
    expect(toHeaders({}, provider(), { credential: undefined, own: {} })).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
    });
  });
});

describe('redact', () => {
  it('takes out every secret, wherever it is', () => {
    expect(redact('k1 and k2k1', ['k1', undefined, '', 'k2'])).toBe('*** and ******');
  });
});

describe('toShownUrl', () => {
  it.each([
    ['http://h/v1/models?key=k', 'http://h/v1/models'],
    ['http://user:secret@h/v1', 'http://h/v1'],
    ['http://h/v1', 'http://h/v1'],
  ])('shows %s without what may be a key', (url, shown) => {
    expect(toShownUrl(url)).toBe(shown);
  });
});

describe('secretsOf', () => {
  it('names the credential and what a configured header or parameter may hold', () => {
    const own = {
      envHttpHeaders: { 'X-A': 'A', 'X-B': 'B' },
      httpHeaders: { Authorization: 'Basic 12345', 'X-On': 'true' },
      queryParams: { key: 'abcdefgh', v: '1' },
    };
    expect(secretsOf({ A: ' secret ' }, provider(own), { key: 't', account: {} })).toEqual([
      't',
      'secret',
      undefined,
      'Basic 12345',
      'abcdefgh',
    ]);
  });

  it('names the login of the address, as it is sent', () => {
    const own = { baseUrl: 'http://me:p%40ssword@host/v1' };
    expect(secretsOf({}, provider(own), undefined)).toEqual([undefined, 'p%40ssword', 'p@ssword', 'bWU6cEBzc3dvcmQ=']);
  });
});

describe('toSentArguments', () => {
  it.each([
    ['{"command":["ls"]}', '{"command":["ls"]}'],
    ['{ "command": [] }', '{ "command": [] }'],
    ['', ''],
    ['{"command": ["echo", "la', '{"input":"{\\"command\\": [\\"echo\\", \\"la"}'],
    ['["ls"]', '{"input":"[\\"ls\\"]"}'],
    ['7', '{"input":"7"}'],
  ])('sends %j as %s', (args, sent) => {
    expect(toSentArguments(args)).toBe(sent);
  });

  it('sends a JSON object or nothing, and the same again', () => {
    const text = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, (args) => {
        const sent = toSentArguments(args);
        expect(sent === '' || isObject(JSON.parse(sent))).toBe(true);
        expect(toSentArguments(sent)).toBe(sent);
      }),
    );
  });
});

const read = (members: object): string => {
  let text = '';
  requestBody(members).subscribe((pieces) => {
    text = Buffer.concat(pieces).toString();
  });
  return text;
};

/** 2.5 million bytes of JSON and an item more make a piece each. */
const listOf = (count: number) => ({ input: Array<string>(count).fill('ü'.repeat(1_048_576)) });

describe('requestBody', () => {
  it('emits a short body at once, as JSON.stringify makes it', () => {
    const value = fc.jsonValue().map((json) => json as never);
    const members = fc.dictionary(fc.string(), fc.oneof(value, fc.array(value), fc.constant(undefined)));
    fc.assert(fc.property(members, (made) => expect(read(made)).toBe(JSON.stringify(made))));
  });

  it(
    'makes three pieces of a long body in each turn of the event loop',
    marbles(({ flush, expectObservable }) => {
      const items = jest.fn(JSON.stringify);
      const counted = { toJSON: () => items('ü'.repeat(1_048_576)) };
      requestBody({ input: Array(7).fill(counted) }).subscribe();
      expect(items).toHaveBeenCalledTimes(3);
      flush();
      expect(items).toHaveBeenCalledTimes(7);
      const sizes$ = requestBody(listOf(7)).pipe(map((pieces) => pieces.length));
      expectObservable(sizes$).toBe('(A|)', { A: 8 });
      const text = JSON.stringify(listOf(4));
      const text$ = requestBody(listOf(4)).pipe(map((pieces) => Buffer.concat(pieces).toString() === text));
      expectObservable(text$).toBe('(A|)', { A: true });
    }),
  );

  it('makes no further piece after unsubscription', () => {
    const items = jest.fn(JSON.stringify);
    const counted = { toJSON: () => items('x'.repeat(1_048_576)) };
    marbles(({ flush }) => {
      requestBody({ input: Array(7).fill(counted) })
        .subscribe()
        .unsubscribe();
      flush();
    })();
    expect(items).toHaveBeenCalledTimes(3);
  });
});
