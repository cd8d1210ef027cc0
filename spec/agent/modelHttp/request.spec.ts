import fc from 'fast-check';
import { queueScheduler } from 'rxjs';
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
import { startsInTurns } from '../../../src/streams/pausing';
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

  it.each(['HTTP_PROXY', 'https_proxy', 'ALL_PROXY'])(
    'names the login of a proxy in %s, which may repeat it',
    (name) => {
      const secrets = [undefined, 'secret', 'bWU6c2VjcmV0'];
      expect(secretsOf({ [name]: 'http://me:secret@proxy:80' }, provider({}), undefined)).toEqual(secrets);
      expect(secretsOf({ [name]: 'me:secret@proxy' }, provider({}), undefined)).toEqual(secrets);
      expect(secretsOf({ [name]: 'proxy:80', MY_PROXY: 'me:secret@proxy' }, provider({}), undefined)).toEqual([
        undefined,
      ]);
    },
  );
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
  requestBody(queueScheduler, () => members).subscribe((pieces) => {
    text = Buffer.concat(pieces).toString();
  });
  return text;
};

describe('requestBody', () => {
  it('emits a short body at once, as JSON.stringify makes it', () => {
    const value = fc.jsonValue().map((json) => json as never);
    const members = fc.dictionary(fc.string(), fc.oneof(value, fc.array(value), fc.constant(undefined)));
    fc.assert(fc.property(members, (made) => expect(read(made)).toBe(JSON.stringify(made))));
  });

  it('makes the items of a list as it writes them', () => {
    function* items(): Generator<unknown> {
      yield { a: 1 };
      yield 'b';
    }
    expect(read({ none: [].values(), input: items(), end: 1 })).toBe('{"none":[],"input":[{"a":1},"b"],"end":1}');
  });

  it('makes a long body in turns of the event loop, of ten ms each', () => {
    const { seen, turn, starts, toMembers } = making(5);
    requestBody(starts, toMembers).subscribe((pieces) => {
      expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify({ input: Array(5).fill(LONG) }));
      seen.push(`${pieces.length} pieces`);
    });
    for (let i = 0; i < 3; i += 1) turn();
    expect(seen).toEqual(['members', 'item', '|', 'item', 'item', '|', 'item', 'item', '|', '6 pieces']);
  });

  it('makes no further piece after unsubscription', () => {
    const { seen, turn, starts, toMembers } = making(5);
    requestBody(starts, toMembers)
      .subscribe(() => seen.push('out'))
      .unsubscribe();
    for (let i = 0; i < 3; i += 1) turn();
    expect(seen).toEqual(['members', 'item', '|', '|', '|']);
  });
});

/** An item makes a piece of its own. */
const LONG = 'ü'.repeat(262_144);

/** A body whose members, and each of its items, take 6 ms to make; `seen` has these steps and the turns of the event loop. */
const making = (count: number) => {
  let nowMs = 0;
  const seen: string[] = [];
  const turns: (() => void)[] = [];
  const took = (what: string): void => {
    nowMs += 6;
    seen.push(what);
  };
  const toJSON = (): string => {
    took('item');
    return LONG;
  };
  return {
    seen,
    turn: (): void => {
      seen.push('|');
      turns.shift()?.();
    },
    starts: startsInTurns({ now: () => nowMs, soon: (run) => void turns.push(run) }),
    toMembers: () => {
      took('members');
      return { input: Array.from({ length: count }, () => ({ toJSON })) };
    },
  };
};
