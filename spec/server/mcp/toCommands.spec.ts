import type { Observable } from 'rxjs';
import { toInput } from '../../../src/protocol/codex/operations';
import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { type FaceName, faceOf } from '../../../src/server/faces/faceOf';
import type { Command } from '../../../src/server/mcp/methods/method';
import { sealer } from '../../../src/server/mcp/methods/requestState';
import { legacyMethods, modernMethods, routeRequest, toCommands } from '../../../src/server/mcp/toCommands';
import type { Client, Incoming } from '../../../src/server/mcp/withClient';
import { marbles } from '../../support/marbles';
import { answers, asks, call, fails, initialize, mcpDeps, modern, notice } from '../../support/mcp';

const client: Client = { version: '2025-03-26', modern: false, era: { modern: false, capabilities: {} } };

const incoming = (line: string, version = client.version): Incoming => ({
  message: decodeMessage(line),
  client: { ...client, version },
});

const batch = `[${asks('a', 'ping')},${notice('notifications/cancelled', { requestId: 2 })},{"id":7}]`;

const messages: Record<string, Incoming> = {
  p: incoming(asks('p', 'ping')),
  t: incoming(call(1, 'go')),
  a: incoming(answers(0, { action: 'decline' })),
  e: incoming(fails(0, -1, 'no')),
  s: incoming(answers('text', {})),
  x: incoming(notice('notifications/cancelled', { requestId: 1 })),
  y: incoming(notice('notifications/cancelled', { requestId: { of: 'nothing' } })),
  n: incoming(notice('notifications/initialized', {})),
  f: incoming('{"jsonrpc"'),
  b: incoming(batch),
  B: incoming(batch, '2025-11-25'),
};

const size = { size: 2 };

const commands: Record<string, unknown> = {
  P: { kind: 'response', id: 'p', json: '{}' },
  T: expect.objectContaining({ kind: 'begin' }),
  A: { kind: 'answered', question: 0, response: { kind: 'response', id: 0, result: { action: 'decline' } } },
  E: {
    kind: 'answered',
    question: 0,
    response: { kind: 'response', id: 0, error: { code: -1, message: 'no' } },
  },
  X: { kind: 'cancel', requestId: 1 },
  F: { kind: 'response', id: null, error: { code: -32700, message: expect.stringMatching(/^Parse error: /) } },
  Q: { kind: 'response', id: 'a', batch: size, json: '{}' },
  R: { kind: 'cancel', requestId: 2 },
  S: {
    kind: 'response',
    id: 7,
    batch: size,
    error: { code: -32600, message: 'Invalid Request: jsonrpc must be "2.0"' },
  },
  N: {
    kind: 'response',
    id: null,
    error: { code: -32600, message: 'Invalid Request: a line is one message, except in revision 2025-03-26' },
  },
};

const run = (incoming$: Observable<Incoming>, log = jest.fn()): Observable<Command> =>
  incoming$.pipe(toCommands(mcpDeps({ log })));

const log = jest.fn(silentLog);

const deps = {
  face: faceOf('union', '0.1.0'),
  sealer: sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }),
  newCallId: () => 'call',
  log,
  instructions: '',
  workMs: () => 0,
};

const legacy: Client = {
  version: '2025-11-25',
  modern: false,
  era: { modern: false, capabilities: { elicitation: {} } },
};

const ask = (line: string, client = legacy) => routeRequest(deps)(decodeMessage(line) as Request, client);

const refusal = (code: number, message: string, data?: unknown) => ({
  kind: 'response',
  id: 1,
  error: { code, message, ...(data !== undefined && { data }) },
});

const methodsOf = (face: FaceName) =>
  legacyMethods({
    face: faceOf(face, '0.1.0'),
    sealer: sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }),
    newCallId: () => 'call',
    log: silentLog,
    instructions: 'be kind',
    workMs: () => 0,
  });

const era = { modern: false, capabilities: {} };

const answered = (line: string, face: FaceName = 'union') => {
  const request = decodeMessage(line) as Request;
  const command = methodsOf(face)(request.method)?.(request, era);
  return command && 'json' in command ? { ...command, json: JSON.parse(command.json) } : command;
};

const reply = (json: unknown) => ({ kind: 'response', id: 1, json });

describe('toCommands', () => {
  it(
    'makes one command of each request, and of a response or a cancel that can be read',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot(' p-t-a-e-s-x-y-n-|', messages);
      const expected = '      P-T-A-E---X-----|';
      expectObservable(run(incoming$)).toBe(expected, commands);
    }),
  );

  it(
    'answers a line that is not a message, and logs why',
    marbles(({ hot, expectObservable, flush }) => {
      const log = jest.fn();
      expectObservable(run(hot('-f-|', messages), log)).toBe('-F-|', commands);
      flush();
      expect(log.mock.calls).toEqual([
        ['warning', 'a line was rejected', { reason: expect.stringMatching(/^Parse error: /) }],
      ]);
    }),
  );

  it(
    'never answers a broken response: it declines the question that it names, and is logged',
    marbles(({ hot, expectObservable, flush }) => {
      const log = jest.fn();
      const message = 'the response cannot be read: jsonrpc must be "2.0"';
      const error = { code: -32600, message };
      const lines = {
        q: incoming('{"id":0,"result":{"action":"accept"}}'),
        s: incoming('{"id":"s","result":{}}'),
      };
      expectObservable(run(hot('-q-s-|', lines), log)).toBe('-Q---|', {
        Q: {
          kind: 'answered',
          question: 0,
          response: { kind: 'response', id: 0, unread: 'jsonrpc must be "2.0"', error },
        },
      });
      flush();
      const logged = ['warning', 'a response of the client was rejected', { reason: 'jsonrpc must be "2.0"' }];
      expect(log.mock.calls).toEqual([logged, logged]);
    }),
  );

  it(
    'takes the members of a batch one by one, in their order if the revision has batches',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot(' b---B-|', messages);
      const expected = '      (QRS)';
      expectObservable(run(incoming$), '^--!').toBe(expected, commands);
      expectObservable(run(hot('B-|', messages))).toBe('N-|', commands);
    }),
  );

  it(
    'errors with its source and unsubscribes it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(run(hot('-#'))).toBe('-#');
      const incoming$ = hot('---', messages);
      expectObservable(run(incoming$), '^-!').toBe('---');
      expectSubscriptions(incoming$.subscriptions).toBe('^-!');
    }),
  );
});

describe('methods', () => {
  it.each([
    ['initialize', {}, 'params.protocolVersion is missing'],
    ['tools/list', { cursor: 'next' }, 'params.cursor must be absent, as there is one page'],
    ['tools/call', {}, 'params.name is missing'],
    ['tools/call', { name: 'codex', arguments: 'go' }, 'params.arguments must be an object, not a string'],
    ['logging/setLevel', { level: 'loud' }, 'params.level must be "debug"'],
  ])('names the fault in the params of %s', (method, params, fault) => {
    expect(ask(asks(1, method, params))).toEqual(refusal(-32602, expect.stringContaining(fault)));
  });

  it.each([null, ''])(
    'takes the cursor %j for the first page, which clients send that write each optional member',
    (cursor) => {
      expect(ask(asks(1, 'tools/list', { cursor }))).toEqual(ask(asks(1, 'tools/list', {})));
    },
  );

  it('refuses what it does not have, also by the name of a member of Object', () => {
    for (const method of ['resources/list', 'constructor', '__proto__', 'server/discover']) {
      expect(ask(asks(1, method))).toEqual(refusal(-32601, `Method not found: ${method}`, { method }));
    }
  });

  it('refuses an unknown tool with the nearest name', () => {
    const line = asks(1, 'tools/call', { name: 'codex_reply', arguments: {} });
    expect(ask(line)).toEqual(refusal(-32602, 'Unknown tool: codex_reply; did you mean codex-reply?'));
    expect(ask(asks(1, 'tools/call', { name: 'toString' }))).toEqual(refusal(-32602, 'Unknown tool: toString'));
    const long = asks(1, 'tools/call', { name: 'n'.repeat(5_000) });
    expect(ask(long)).toEqual(refusal(-32602, `Unknown tool: ${'n'.repeat(200)}…`));
  });

  it('reports arguments that do not fit as a result, so that a model can correct them', () => {
    const line = asks(1, 'tools/call', { name: 'codex', arguments: { prompt: 'x', approvalPolicy: 'never' } });
    const text = 'codex has no argument `approvalPolicy`. Did you mean `approval-policy`?';
    expect(ask(line)).toMatchObject({ kind: 'response', result: { content: [{ type: 'text', text }], isError: true } });
  });

  it('begins a turn that can ask if its client can be asked', () => {
    const op = {
      kind: 'turn',
      callId: 'call',
      eventId: '1',
      input: toInput('x'),
      thread: { start: {} },
      askable: true,
    };
    expect(ask(call(1, 'x'))).toMatchObject({ kind: 'begin', op });
    const mute = { ...legacy, era: { modern: false, capabilities: { elicitation: { url: {} } } } };
    expect(ask(call(1, 'x'), mute)).toMatchObject({ kind: 'begin', op: { ...op, askable: false } });
  });

  it('answers a fault of its own without its text, which is logged', () => {
    const broken = routeRequest({
      ...deps,
      newCallId: () => {
        throw new Error('no ids left');
      },
    });
    expect(broken(decodeMessage(call(1, 'x')) as Request, legacy)).toEqual(refusal(-32603, 'Internal error'));
    expect(log).toHaveBeenCalledWith('error', 'a request failed because of a bug', {
      stack: expect.stringContaining('no ids left'),
    });
  });

  describe('with a request of 2026-07-28', () => {
    const meta = (changes: object) => ({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      ...changes,
    });
    const supported = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

    it.each([
      [{ 'io.modelcontextprotocol/protocolVersion': undefined }, 'protocolVersion must be a string'],
      [{ 'io.modelcontextprotocol/protocolVersion': 20260728 }, 'protocolVersion must be a string'],
      [{ 'io.modelcontextprotocol/clientCapabilities': undefined }, 'clientCapabilities must be an object'],
      [{ 'io.modelcontextprotocol/clientCapabilities': 'none' }, 'clientCapabilities must be an object'],
      [{ 'io.modelcontextprotocol/logLevel': 'loudest' }, 'logLevel must be one of debug, info'],
    ])('refuses the metadata %j', (changes, fault) => {
      const line = modern(asks(1, 'tools/list'), meta(changes));
      expect(ask(line)).toEqual(refusal(-32602, expect.stringContaining(fault)));
    });

    it('refuses another version and names its own', () => {
      const line = modern(asks(1, 'tools/list'), meta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }));
      const data = { supported, requested: '2099-01-01' };
      expect(ask(line)).toEqual(refusal(-32022, 'Unsupported protocol version: 2099-01-01', data));
    });

    it('discovers what it speaks', () => {
      const { json } = ask(modern(asks(1, 'server/discover'))) as { json: string };
      expect(JSON.parse(json)).toEqual({
        resultType: 'complete',
        supportedVersions: supported,
        capabilities: { tools: {}, logging: {} },
        instructions: '',
        ttlMs: 3_600_000,
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': deps.face.serverInfo },
      });
    });

    it.each(['ping', 'initialize', 'logging/setLevel'])('has no %s any more', (method) => {
      expect(ask(modern(asks(1, method)))).toEqual(refusal(-32601, `Method not found: ${method}`, { method }));
    });

    it('requires the metadata on every request once a client opened this way, unless it also sent initialize', () => {
      const opened = { modern: true, era: { modern: false, capabilities: {} } };
      const missing = 'Invalid params: params._meta.io.modelcontextprotocol/protocolVersion is missing';
      expect(ask(asks(1, 'tools/list'), opened)).toEqual(refusal(-32602, missing));
      expect(ask(asks(1, 'ping'), { ...opened, version: '2025-11-25' })).toMatchObject({ json: '{}' });
    });
  });
});

describe('legacyMethods', () => {
  it('has the methods of these revisions, and logging only if the face declares it', () => {
    const common = ['initialize', 'ping', 'tools/list', 'tools/call'];
    const names = [
      'initialize',
      'ping',
      'server/discover',
      'tools/list',
      'tools/call',
      'logging/setLevel',
      'subscriptions/listen',
      'toString',
    ];
    expect(names.filter(methodsOf('union'))).toEqual([...common, 'logging/setLevel']);
    expect(names.filter(methodsOf('0.28'))).toEqual(common);
  });

  it('answers initialize with the revision, and instructions if the face has them', () => {
    const { capabilities, serverInfo } = faceOf('union', '0.1.0');
    const result = { protocolVersion: '2025-03-26', capabilities, serverInfo, instructions: 'be kind' };
    expect(answered(initialize(1, '2025-03-26'))).toEqual(reply(result));
    expect(answered(initialize(1, '2025-03-26'), '0.153')).not.toHaveProperty('json.instructions');
  });

  it('answers a revision that is not known with the newest, or with itself if the face did so', () => {
    expect(answered(initialize(1, '1999-12-31'))).toHaveProperty('json.protocolVersion', '2025-11-25');
    expect(answered(initialize(1, '1999-12-31'), '0.28')).toHaveProperty('json.protocolVersion', '1999-12-31');
  });

  it('names its client in the face that did so', () => {
    expect(answered(initialize(1, '2025-06-18'), '0.153')).toMatchObject({
      json: { serverInfo: { user_agent: 'codex_cli_rs/0.153.4 (unknown; unknown) codex-rx/0.1.0 (c; 1)' } },
    });
    expect(answered(initialize(1, '2025-06-18'), '0.28')).not.toHaveProperty('json.serverInfo.user_agent');
  });

  it('takes any cursor in the face of an old release', () => {
    const tools = { tools: faceOf('0.28', '0.1.0').tools() };
    expect(answered(asks(1, 'tools/list', { cursor: 'x' }), '0.28')).toEqual(reply(tools));
    expect(() => answered(asks(1, 'tools/list', { cursor: 'x' }))).toThrow('params.cursor must be absent');
  });

  it('answers ping, and lists the tools of its face', () => {
    expect(answered(asks(1, 'ping'))).toEqual(reply({}));
    expect(answered(asks(1, 'tools/list'), '0.28')).toEqual(reply({ tools: faceOf('0.28', '0.1.0').tools() }));
  });

  it('sets the level of the log', () => {
    expect(answered(asks(1, 'logging/setLevel', { level: 'error' }))).toEqual({
      kind: 'level',
      level: 'error',
      response: { kind: 'response', id: 1, json: '{}' },
    });
  });
});

describe('modernMethods', () => {
  const face = faceOf('union', '0.1.0');

  const methods = modernMethods({
    face,
    sealer: sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }),
    newCallId: () => 'call',
    log: silentLog,
    instructions: 'be kind',
    workMs: () => 0,
  });

  const answered = (line: string) => {
    const request = decodeMessage(line) as Request;
    const command = methods(request.method)?.(request, { modern: true, capabilities: {} });
    return command && 'json' in command ? JSON.parse(command.json) : command;
  };

  const cached = {
    resultType: 'complete',
    ttlMs: 3_600_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo },
  };

  it('has the methods of 2026-07-28', () => {
    const names = [
      'initialize',
      'ping',
      'server/discover',
      'tools/list',
      'tools/call',
      'logging/setLevel',
      'subscriptions/listen',
      'toString',
    ];
    expect(names.filter(methods)).toEqual(['server/discover', 'tools/list', 'tools/call', 'subscriptions/listen']);
  });

  it('discovers every revision, what the server can do, and its instructions', () => {
    expect(answered(asks(1, 'server/discover'))).toEqual({
      ...cached,
      supportedVersions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      capabilities: face.capabilities,
      instructions: 'be kind',
    });
  });

  it('lists the tools in a result that may be cached, and takes no cursor', () => {
    expect(answered(asks(1, 'tools/list'))).toEqual({ ...cached, tools: face.tools() });
    expect(() => answered(asks(1, 'tools/list', { cursor: 'next' }))).toThrow('params.cursor');
  });

  it('answers a subscription later, once its params are checked', () => {
    const params = { notifications: {} };
    expect(answered(asks(1, 'subscriptions/listen', params))).toEqual({
      kind: 'later',
      request: { kind: 'request', id: 1, method: 'subscriptions/listen', params },
    });
    expect(() => answered(asks(1, 'subscriptions/listen', {}))).toThrow('params.notifications');
    for (const [name, value] of Object.entries({
      toolsListChanged: 'yes',
      promptsListChanged: 1,
      resourcesListChanged: null,
      resourceSubscriptions: [5],
    })) {
      const wrong = asks(1, 'subscriptions/listen', { notifications: { [name]: value } });
      expect(() => answered(wrong)).toThrow(`params.notifications.${name}`);
    }
  });
});
