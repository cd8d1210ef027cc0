import { decodeMessage } from '../../../../src/protocol/jsonrpc/decodeMessage';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../../src/protocol/log';
import { faceOf } from '../../../../src/server/faces/faceOf';
import { sealer } from '../../../../src/server/mcp/methods/requestState';
import { modernMethods } from '../../../../src/server/mcp/toCommands';
import { asks } from '../../../support/mcp';

const face = faceOf('union', '0.1.0');
const methods = modernMethods({
  face,
  sealer: sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }),
  newCallId: () => 'call',
  log: silentLog,
  instructions: 'be kind',
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

describe('modernMethods', () => {
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
