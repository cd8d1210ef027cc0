import fc from 'fast-check';
import * as z from 'zod/mini';
import { checkParams, issueText } from '../../../src/protocol/jsonrpc/checkParams';
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

const textOf = (schema: z.ZodMiniType, value: unknown): string | undefined =>
  z.safeParse(schema, value, { error: issueText }).error?.issues[0]?.message;

describe('issueText', () => {
  it.each<[z.ZodMiniType, unknown, string]>([
    [z.string(), undefined, 'is missing'],
    [z.enum(['a', 'b']), undefined, 'is missing'],
    [z.union([z.string(), z.array(z.string())]), undefined, 'is missing'],
    [z.string(), 7, 'must be a string, not a number'],
    [z.string(), 7n, 'must be a string, not a bigint'],
    [z.number(), null, 'must be a number, not null'],
    [z.boolean(), 'yes', 'must be true or false, not a string'],
    [z.array(z.string()), {}, 'must be a list, not an object'],
    [z.object({}), [], 'must be an object, not a list'],
    [z.record(z.string(), z.string()), true, 'must be an object, not true'],
    [z.int(), 'x', 'must be a number, not a string'],
    [z.literal('a'), 'b', 'must be "a"'],
    [z.enum(['a', 'b']), 'c', 'must be "a" or "b"'],
    [z.enum(['a', 'b', 'c']), 7, 'must be "a", "b" or "c"'],
    [z.number().check(z.minimum(3)), 2, 'must be at least 3'],
    [z.array(z.string()).check(z.minLength(1)), [], 'must not be empty'],
    [z.array(z.string()).check(z.minLength(2)), [], 'is wrong: Too small: expected array to have >=2 items'],
    [z.number().check(z.maximum(3)), 4, 'must be at most 3'],
    [z.strictObject({}), { x: 1 }, 'must not have "x"'],
  ])('writes what is wrong: %#', (schema, value, text) => {
    expect(textOf(schema, value)).toBe(text);
  });

  it('is a predicate, whatever the value', () => {
    const schema = z.object({ a: z.string(), b: z.optional(z.array(z.number())) });
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(textOf(schema, value) ?? 'is well').toMatch(/^(is|must be|must not have) [a-z"]/);
      }),
    );
  });
});
