import { toInput } from '../../../../src/protocol/codex/input';
import { decodeMessage } from '../../../../src/protocol/jsonrpc/decodeMessage';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../../src/protocol/log';
import { faceOf } from '../../../../src/server/faces/faceOf';
import { sealer } from '../../../../src/server/mcp/methods/requestState';
import { routeRequest } from '../../../../src/server/mcp/toCommands';
import type { Client } from '../../../../src/server/mcp/withClient';
import { asks, call, modern } from '../../../support/mcp';

const log = jest.fn(silentLog);
const deps = {
  face: faceOf('union', '0.1.0'),
  sealer: sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }),
  newCallId: () => 'call',
  log,
  instructions: '',
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

  it('refuses what it does not have, also by the name of a member of Object', () => {
    for (const method of ['resources/list', 'constructor', '__proto__', 'server/discover']) {
      expect(ask(asks(1, method))).toEqual(refusal(-32601, `Method not found: ${method}`, { method }));
    }
  });

  it('refuses an unknown tool with the nearest name', () => {
    const line = asks(1, 'tools/call', { name: 'codex_reply', arguments: {} });
    expect(ask(line)).toEqual(refusal(-32602, 'Unknown tool: codex_reply; did you mean codex-reply?'));
    expect(ask(asks(1, 'tools/call', { name: 'toString' }))).toEqual(refusal(-32602, 'Unknown tool: toString'));
  });

  it('reports arguments that do not fit as a result, so that a model can correct them', () => {
    const line = asks(1, 'tools/call', { name: 'codex', arguments: { prompt: 'x', approvalPolicy: 'never' } });
    const text = 'codex has no argument `approvalPolicy`. Did you mean `approval-policy`?';
    expect(ask(line)).toMatchObject({ kind: 'response', result: { content: [{ type: 'text', text }], isError: true } });
  });

  it('begins a turn that can ask where its client can be asked', () => {
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
