import { checkParams } from '../../../src/protocol/jsonrpc/checkParams';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import {
  CallToolParams,
  InitializeParams,
  ListenParams,
  ListParams,
  SetLevelParams,
} from '../../../src/protocol/mcp/params';

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'c', version: '1', title: 'C' },
  more: 1,
};

describe('checkParams', () => {
  it.each([
    ['initialize', InitializeParams, initialize],
    ['a list', ListParams, { _meta: {} }],
    ['a tool call', CallToolParams, { name: 'codex', arguments: { prompt: 'p' }, _meta: { progressToken: 1n } }],
    ['a retried tool call', CallToolParams, { name: 'codex', inputResponses: {}, requestState: 's' }],
    ['a log level', SetLevelParams, { level: 'warning' }],
    ['a subscription', ListenParams, { notifications: {}, other: 1 }],
  ])('passes the params of %s, unknown members too', (_, schema, params) => {
    expect(checkParams(schema(), params)).toEqual(params);
  });

  it.each([
    [InitializeParams, {}, /params\.protocolVersion is missing; params\.capabilities is .*; params\.clientInfo is /],
    [InitializeParams, { ...initialize, clientInfo: { name: 'c' } }, /: params\.clientInfo\.version is missing$/],
    [InitializeParams, { ...initialize, capabilities: [] }, /: params\.capabilities must be an object, not a list$/],
    [ListParams, { cursor: 'x' }, /: params\.cursor must be absent, as there is one page$/],
    [CallToolParams, { name: 7 }, /: params\.name must be a string, not a number$/],
    [CallToolParams, { name: 'codex', arguments: [] }, /: params\.arguments must be an object, not a list$/],
    [SetLevelParams, { level: 'loud' }, /: params\.level must be "debug", .* or "emergency"$/],
    [ListenParams, {}, /: params\.notifications is missing$/],
    [CallToolParams, null, /: params must be an object, not null$/],
  ])('reports where params are wrong: %#', (schema, params, message) => {
    expect(() => checkParams(schema(), params)).toThrow(RpcError);
    expect(() => checkParams(schema(), params)).toThrow(
      expect.objectContaining({ code: -32602, message: expect.stringMatching(message), data: undefined }),
    );
    expect(() => checkParams(schema(), params)).toThrow(/^Invalid params: /);
  });
});
