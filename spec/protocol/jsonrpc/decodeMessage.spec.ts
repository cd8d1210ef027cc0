import fc from 'fast-check';
import { lastValueFrom, of } from 'rxjs';
import {
  decodeBareMessage,
  decodeInTurns,
  decodeMessage,
  decodeMessages,
  refuseLong,
} from '../../../src/protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../../src/protocol/jsonrpc/encodeMessage';
import { toJson } from '../../../src/protocol/jsonrpc/json';
import type { Message } from '../../../src/protocol/jsonrpc/messages';
import { anyText } from '../../support/hostile';
import { marbles } from '../../support/marbles';

const fault = (id: unknown, code: number, message: string) => ({ kind: 'fault', id, code, message });
const invalid = (id: unknown, message: string) => fault(id, -32600, `Invalid Request: ${message}`);
const request = (id: unknown, params: object = {}) => ({ kind: 'request', id, method: 'm', params });
const notice = (params: object = {}) => ({ kind: 'notification', method: 'm', params });
const result = (id: unknown, value: unknown) => ({ kind: 'response', id, result: value });
const failure = (id: unknown, error: object) => ({ kind: 'response', id, error });
const unread = (id: unknown, reason: string) => ({
  kind: 'response',
  id,
  unread: reason,
  error: { code: -32600, message: `the response cannot be read: ${reason}` },
});
const line = (members: string) => `{"jsonrpc":"2.0",${members}}`;

describe('refuseLong', () => {
  const LONG = 'it has more than 268435456 characters; send less at once, or name a file';

  it.each([
    ['a request, under its id', '"id":7,"method":"m","params":{"text":"aaa', invalid(7, LONG)],
    ['an id of text', '"id":"a,}\\"b","method":"m","params":{"te', invalid('a,}"b', LONG)],
    ['an id with all its digits', '"method":"m","id":9007199254740993,"params":[', invalid(9007199254740993n, LONG)],
    ['an id that is not the one of the message', '"params":{"id":7,"a":[{"id":8', invalid(null, LONG)],
    ['an id that is cut off', '"method":"m","id":12', invalid(null, LONG)],
    ['a response, which ends what waits for it', '"id":7,"result":{"a":"', unread(7, LONG)],
  ])('answers %s', (_, members, expected) => {
    expect(refuseLong(`{"jsonrpc":"2.0",${members}`)).toEqual(expected);
  });

  it('never throws', () => {
    fc.assert(fc.property(anyText(), (text) => typeof refuseLong(`{"id":${text}`).kind === 'string'));
  });
});

describe('decodeMessage', () => {
  it.each([
    ['a request', '"id":1,"method":"m","params":{"a":[1,{"b":null}]}', request(1, { a: [1, { b: null }] })],
    ['a request without params', '"id":1,"method":"m"', request(1)],
    ['a request whose params are null', '"id":1,"method":"m","params":null', request(1)],
    ['a notification', '"method":"m","params":{"a":1}', notice({ a: 1 })],
    ['a notification without params', '"method":"m"', notice()],
    ['a result', '"id":1,"result":{"a":1}', result(1, { a: 1 })],
    ['a result of null', '"id":1,"result":null', result(1, null)],
    ['an error', '"id":1,"error":{"code":-5,"message":"no"}', failure(1, { code: -5, message: 'no' })],
    [
      'an error with data',
      '"id":1,"error":{"code":-5,"message":"no","data":[7]}',
      failure(1, { code: -5, message: 'no', data: [7] }),
    ],
    ['an error that says nothing', '"id":1,"error":"no"', failure(1, { code: 0, message: '' })],
    ['an error beside a result as an error', '"id":1,"result":1,"error":null', failure(1, { code: 0, message: '' })],
    ['a response to nobody', '"id":null,"error":{"code":1,"message":"?"}', failure(null, { code: 1, message: '?' })],
    ['a method before all else', '"id":1,"method":"m","result":1', request(1)],
    ['members nobody asked for', '"id":1,"method":"m","more":{"id":2}', request(1)],
    ['escaped names', '"\\u0069d":1,"\\u006dethod":"m"', request(1)],
    ['the last of members of one name', '"id":1,"method":"l","id":2,"method":"m"', request(2)],
  ])('reads %s', (_, members, message) => {
    expect(decodeMessage(line(members))).toEqual(message);
  });

  it.each([
    ['0', 0],
    ['""', ''],
    ['-1', -1],
    ['-0', -0],
    ['"7"', '7'],
    ['"\\u0000\\ud83d\\ude00"', '\0😀'],
    ['1.0', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    [`1${'0'.repeat(308)}`, 10n ** 308n],
    ['1e3', 1000],
    ['1e20', 1e20],
  ])('takes %s for an id', (text, id) => {
    expect(decodeMessage(line(`"method":"m","id":${text}`))).toEqual(request(id));
    expect(decodeMessage(line(`"result":1,"id": ${text} `))).toEqual(result(id, 1));
  });

  it.each(['null', 'true', '[]', '{}', '1.5', '1e-3', '1e400', '9'.repeat(310)])(
    'refuses %s as the id of a request',
    (id) => {
      const refusal = invalid(null, 'id must be a string or an integer');
      expect(decodeMessage(line(`"method":"m","id":${id}`))).toEqual(refusal);
    },
  );

  it('takes a response whose id cannot be read as one to nobody', () => {
    expect(decodeMessage(line('"id":1.5,"result":1'))).toEqual(result(null, 1));
  });

  it.each([
    ['"id":1,"method":5', invalid(1, 'method must be a string')],
    ['"method":null', invalid(null, 'method must be a string')],
    ['"id":1', invalid(1, 'method is missing')],
    ['"params":{}', invalid(null, 'method is missing')],
    ['"id":1,"method":"m","params":[1]', fault(1, -32602, 'Invalid params: params must be an object')],
    ['"id":1,"method":"m","params":"x"', fault(1, -32602, 'Invalid params: params must be an object')],
    ['"id":1,"method":"m","params":0', fault(1, -32602, 'Invalid params: params must be an object')],
  ])('reports what is wrong with %s', (members, refusal) => {
    expect(decodeMessage(line(members))).toEqual(refusal);
  });

  it.each(['[1]', '"x"', 'false'])('drops the params %s of a notification, which cannot be refused', (params) => {
    expect(decodeMessage(line(`"method":"m","params":${params}`))).toEqual(notice());
  });

  it.each(['{"id":1,"method":"m"}', '{"id":1,"method":"m","jsonrpc":"1.0"}', '{"id":1,"method":"m","jsonrpc":2.0}'])(
    'asks for jsonrpc "2.0" in %s',
    (text) => {
      expect(decodeMessage(text)).toEqual(invalid(1, 'jsonrpc must be "2.0"'));
    },
  );

  it.each([
    ['{"id":1,"result":1}', unread(1, 'jsonrpc must be "2.0"')],
    ['{"id":"a","result":1,"jsonrpc":null}', unread('a', 'jsonrpc must be "2.0"')],
    ['{"id":1,"error":{"code":1,"message":"no"},"jsonrpc":"1.0"}', unread(1, 'jsonrpc must be "2.0"')],
    ['{"id":{},"result":1}', unread(null, 'jsonrpc must be "2.0"')],
    ['{"jsonrpc":"2.0","result":1}', unread(null, 'it has no id')],
  ])('takes the broken response %s as the failure of its request, which is never answered', (text, response) => {
    expect(decodeMessage(text)).toEqual(response);
    expect(decodeMessage(`[${text}]`)).toEqual({ kind: 'batch', messages: [response] });
  });

  it.each(['5', '"x"', 'null', 'true', '-0.5e3'])('refuses %s, which is not an object', (text) => {
    expect(decodeMessage(text)).toEqual(invalid(null, 'a message is a JSON object'));
  });

  it.each(['', 'x', '{', '{"a":}', '{"jsonrpc":"2.0"}{}', "{'a':1}", '\ufeff{}', '[1,]', '{"a":"\n"}'])(
    'answers %j with a parse error',
    (text) => {
      const message = expect.stringMatching(/^Parse error: /);
      expect(decodeMessage(text)).toEqual({ kind: 'fault', id: null, code: -32700, message });
    },
  );

  it('keeps integers exact that name a request or a progress', () => {
    const exact = { requestId: 9007199254740993n, _meta: { a: 1, progressToken: 9223372036854775807n }, b: 2 };
    const params = '{"requestId":9007199254740993,"_meta":{"a":1,"progressToken":9223372036854775807},"b":2}';
    expect(decodeMessage(line(`"id":1,"method":"m","params":${params}`))).toEqual(request(1, exact));
    expect(decodeMessage(line(`"method":"m","params":${params}`))).toEqual(notice(exact));
  });

  it('leaves a requestId or progressToken that is no integer as it is', () => {
    const params = { requestId: 1.5, _meta: { progressToken: -0.25 } };
    expect(decodeMessage(line(`"method":"m","params":${JSON.stringify(params)}`))).toEqual(notice(params));
    expect(decodeMessage(line('"method":"m","params":{"requestId":"a","_meta":7}'))).toEqual(
      notice({ requestId: 'a', _meta: 7 }),
    );
  });

  it('is not led astray by equal names elsewhere', () => {
    const params = '{"a":{"requestId":1},"requestId":9007199254740993,"b":[{"requestId":3}],"_meta":{"requestId":4}}';
    expect(decodeMessage(line(`"id":9007199254740995,"method":"m","params":${params},"x":{"id":6}`))).toEqual(
      request(9007199254740995n, {
        a: { requestId: 1 },
        requestId: 9007199254740993n,
        b: [{ requestId: 3 }],
        _meta: { requestId: 4 },
      }),
    );
  });

  it('keeps a member named __proto__ a member', () => {
    const text = '{"__proto__":{"requestId":1},"requestId":9007199254740993}';
    const message = decodeMessage(line(`"__proto__":{"id":7},"method":"m","params":${text}`));
    const { params } = message as { params: object };
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
    expect(Object.entries(params)).toEqual([
      ['__proto__', { requestId: 1 }],
      ['requestId', 9007199254740993n],
    ]);
  });

  describe('of a batch', () => {
    const one = '{"jsonrpc":"2.0","id":1,"method":"m"}';

    it('reads every member and counts those that are answered', () => {
      const batch = { size: 3 };
      expect(
        decodeMessage(
          `[${one},{"jsonrpc":"2.0","method":"m"},7, {"jsonrpc":"2.0","id":"a"},${line('"id":3,"result":4')}]`,
        ),
      ).toEqual({
        kind: 'batch',
        messages: [
          { ...request(1), batch },
          notice(),
          { ...invalid(null, 'a message is a JSON object'), batch },
          { ...invalid('a', 'method is missing'), batch },
          result(3, 4),
        ],
      });
    });

    it('keeps big ids exact, each its own', () => {
      const big = (text: string) => line(`"id":${text},"method":"m","params":{"requestId":${text}}`);
      const ids = ['9007199254740993', '5', '18446744073709551615'];
      const batch = { size: 3 };
      expect(decodeMessage(` [ ${ids.map(big).join(' , ')} ] `)).toEqual({
        kind: 'batch',
        messages: [9007199254740993n, 5, 18446744073709551615n].map((id) => ({
          ...request(id, { requestId: id }),
          batch,
        })),
      });
    });

    it('refuses an empty one, and a batch in a batch', () => {
      expect(decodeMessage('[]')).toEqual(invalid(null, 'an empty batch'));
      expect(decodeMessage('[[]]')).toEqual({
        kind: 'batch',
        messages: [{ ...invalid(null, 'a message is a JSON object'), batch: { size: 1 } }],
      });
    });
  });

  const nested = (depth: number): string =>
    `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"requestId":9007199254740993}`;

  it('reads what is nested deeply', () => {
    expect(decodeMessage(line(`"method":"m","params":${nested(254)}`))).toMatchObject({
      kind: 'notification',
      params: { requestId: 9007199254740993n },
    });
  });

  it.each([255, 100_000])('refuses what is nested so deep that it could not be sent on: %j in params', (depth) => {
    const tooDeep = 'it is nested deeper than 256 levels';
    const request = line(`"id":9007199254740993,"method":"m","params":${nested(depth)}`);
    expect(decodeMessage(request)).toEqual(invalid(9007199254740993n, tooDeep));
    expect(decodeMessage(line(`"method":"m","params":${nested(depth)}`))).toEqual(invalid(null, tooDeep));
    expect(decodeMessage(`[${request}]`)).toEqual(invalid(null, tooDeep));
    const response = unread('r', tooDeep);
    expect(decodeMessage(line(`"id":"r","result":${nested(depth)}`))).toEqual(response);
    expect(decodeBareMessage(`{"id":"r","result":${nested(depth)}}`)).toEqual(response);
    expect(decodeBareMessage(request)).toEqual(invalid(9007199254740993n, tooDeep));
  });

  it('keeps a big id exact beside a string of 16 MB', () => {
    const text = 'x\\"'.repeat(4_000_000) + 'y'.repeat(4_000_000);
    const message = decodeMessage(line(`"method":"m","params":{"text":"${text}"},"id":9007199254740993`));
    expect(message).toMatchObject({ kind: 'request', id: 9007199254740993n });
  });

  it('never throws, whatever the line', () => {
    const word = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"id"',
        '"jsonrpc":"2.0"',
        '"method":"m"',
        '"params"',
        '9007199254740993',
        '1.5',
      ],
      ...['"requestId":9007199254740993', '"_meta"', '\\', '"', ' ', 'null', '"result"', '"__proto__"'],
    );
    const kinds = ['request', 'notification', 'response', 'fault', 'batch'];
    const check = (text: string) => expect(kinds).toContain(decodeMessage(text).kind);
    fc.assert(fc.property(anyText(), check));
    fc.assert(
      fc.property(
        fc.array(word).map((words) => words.join('')),
        check,
      ),
    );
    fc.assert(fc.property(fc.json(), check));
  });
});

const id = fc.oneof(anyText(), fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n }));
const value = fc.jsonValue().map((made) => JSON.parse(JSON.stringify(made)) as unknown);
const name = fc.string().filter((one) => one !== '_meta' && one !== 'requestId');
const exact = fc.record({ requestId: id, _meta: fc.record({ progressToken: id }) }, { requiredKeys: [] });
const params = fc.tuple(fc.dictionary(name, value), exact).map(([own, ids]) => ({ ...own, ...ids }));
const method = anyText();
const error = fc.record(
  { code: fc.integer(), message: fc.string(), data: value },
  { requiredKeys: ['code', 'message'] },
);

describe('decodeBareMessage', () => {
  it.each([
    ['a request', '{"id":0,"method":"m","params":{"a":1}}', request(0, { a: 1 })],
    ['a notification', '{"method":"m"}', notice()],
    ['a result', '{"id":1,"result":{}}', result(1, {})],
    ['an error', '{"id":1,"error":{"code":-5,"message":"no"}}', failure(1, { code: -5, message: 'no' })],
    ['an id that is no number', '{"id":"a","method":"m"}', request('a')],
    ['an id beyond doubles', '{"id":9007199254740993,"result":1}', result(9007199254740993n, 1)],
    ['a message that names its version', line('"id":1,"method":"m"'), request(1)],
    ['members nobody asked for', '{"method":"m","params":{},"emittedAtMs":1}', notice()],
    ['no object', '7', invalid(null, 'a message is a JSON object')],
    ['a batch, which it does not know', '[{"method":"m"}]', invalid(null, 'a message is a JSON object')],
    ['no member of a message', '{"id":1}', invalid(1, 'method is missing')],
    ['no JSON', 'thread panicked', fault(null, -32700, expect.stringContaining('Parse error') as never)],
  ])('reads %s', (_, text, message) => {
    expect(decodeBareMessage(text)).toEqual(message);
  });

  it('reads what decodeMessage reads, with the version or without', () => {
    const members = fc.record(
      { id: fc.oneof(id, fc.constant(null)), method: fc.oneof(method, value), params, result: value, error },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, (given) => {
        const text = toJson(given);
        const whole = `{"jsonrpc":"2.0"${text === '{}' ? '' : ','}${text.slice(1)}`;
        expect(decodeBareMessage(text)).toEqual(decodeMessage(whole));
      }),
    );
  });

  it('takes any line', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.json()), (text) => {
        expect(decodeBareMessage(text)).toHaveProperty('kind');
      }),
    );
  });
});

describe('encodeMessage', () => {
  it.each([
    ['a request', { kind: 'request', id: 0, method: 'm', params: { a: 1 } }, '"id":0,"method":"m","params":{"a":1}'],
    ['a notification', { kind: 'notification', method: 'm"', params: {} }, '"method":"m\\"","params":{}'],
    ['a result', { kind: 'response', id: '', result: { a: 1 } }, '"id":"","result":{"a":1}'],
    ['a result of nothing as {}', { kind: 'response', id: 1, result: undefined }, '"id":1,"result":{}'],
    ['a result that is text already', { kind: 'response', id: 1, json: '{"b":2}' }, '"id":1,"result":{"b":2}'],
    [
      'an error',
      { kind: 'response', id: null, error: { code: -1, message: 'no', data: 9007199254740993n } },
      '"id":null,"error":{"code":-1,"message":"no","data":9007199254740993}',
    ],
    [
      'integers of any size',
      { kind: 'notification', method: 'm', params: { progressToken: 2n ** 64n, of: [-(2n ** 63n)] } },
      '"method":"m","params":{"progressToken":18446744073709551616,"of":[-9223372036854775808]}',
    ],
  ] as const)('writes %s', (_, message, members) => {
    expect(encodeMessage(message)).toBe(line(members));
  });

  it('writes the answers of a batch as one array', () => {
    const responses = [
      { kind: 'response', id: 2n ** 53n, result: {} },
      { kind: 'response', id: 'a', json: '[]' },
    ] as const;
    expect(encodeMessage({ kind: 'answers', responses: [...responses] })).toBe(
      `[${line('"id":9007199254740992,"result":{}')},${line('"id":"a","result":[]')}]`,
    );
  });

  it('writes what is read again with the same meaning, in one line', () => {
    const message = fc.oneof(
      fc.record({ kind: fc.constant('request' as const), id, method, params }),
      fc.record({ kind: fc.constant('notification' as const), method, params }),
      fc.record({ kind: fc.constant('response' as const), id: fc.oneof(id, fc.constant(null)), result: value }),
      fc.record({ kind: fc.constant('response' as const), id, error }),
    );
    fc.assert(
      fc.property(message, (sent) => {
        const text = encodeMessage(sent);
        expect(text).not.toContain('\n');
        const decoded = 'result' in sent && sent.result === null ? { ...sent, result: {} } : sent;
        expect(decodeMessage(text)).toEqual(decoded);
      }),
    );
  });
});

describe('decodeMessages', () => {
  const line = {
    r: '{"jsonrpc":"2.0","id":1,"method":"m"}',
    n: ' {"jsonrpc":"2.0","method":"m"}',
    y: '{"jsonrpc":"2.0","id":1,"result":{}}',
    b: '[]',
    x: 'no',
    e: '',
    w: ' \t ',
  };
  const message: Record<string, Message> = {
    R: { kind: 'request', id: 1, method: 'm', params: {} },
    N: { kind: 'notification', method: 'm', params: {} },
    Y: { kind: 'response', id: 1, result: {} },
    B: { kind: 'fault', id: null, code: -32600, message: 'Invalid Request: an empty batch' },
    X: { kind: 'fault', id: null, code: -32700, message: expect.stringMatching(/^Parse error: /) },
  };

  describe('decodeMessages', () => {
    it(
      'emits a message per line, a fault for a line that is none, nothing for a blank one',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('  -r-n-y-b-x-e-w-r-|', line);
        const expected = '   -R-N-Y-B-X-----R-|';
        expectObservable(line$.pipe(decodeMessages())).toBe(expected, message);
      }),
    );

    it(
      'is never, empty and failing as its source is, and stops when nobody listens',
      marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
        expectObservable(cold<string>('---').pipe(decodeMessages())).toBe('---');
        expectObservable(cold<string>('--|').pipe(decodeMessages())).toBe('--|');
        expectObservable(hot('-r-#', line).pipe(decodeMessages())).toBe('-R-#', message);
        const line$ = hot('-r-r', line);
        expectObservable(line$.pipe(decodeMessages()), '--!').toBe('-R', message);
        expectSubscriptions(line$.subscriptions).toBe('^-!');
      }),
    );
  });

  describe('decodeInTurns', () => {
    const long = { L: `{"jsonrpc":"2.0","id":1,"method":"m","params":{"p":"${'x'.repeat(1_048_576)}"}}`, ...line };
    const L = { kind: 'request', id: 1, method: 'm', params: { p: expect.stringMatching(/^x+$/) } };

    it(
      'emits a message per line, at once where no line is long',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('  -r-n-y-b-x-e-w-r-|', line);
        const expected = '   -R-N-Y-B-X-----R-|';
        expectObservable(line$.pipe(decodeInTurns())).toBe(expected, message);
      }),
    );

    it(
      'keeps the order of long and other lines',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('-(rLry)-y|', long);
        expectObservable(line$.pipe(decodeInTurns())).toBe('-(RLRY)-Y|', { ...message, L });
        expectObservable(hot('-(L|)', long).pipe(decodeInTurns())).toBe('-(L|)', { L });
      }),
    );

    it('serves other events before it decodes a long line, and before it emits the message', async () => {
      const turns: string[] = [];
      const decode = (text: string) => {
        setImmediate(() => turns.push('other'));
        turns.push('decoded');
        return decodeMessage(text);
      };
      const done = lastValueFrom(of(long.L).pipe(decodeInTurns(decode)));
      turns.push('read');
      await done;
      expect([...turns, 'emitted']).toEqual(['read', 'decoded', 'other', 'emitted']);
    });
  });
});
