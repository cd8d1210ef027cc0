import { decodeMessage } from '../../../../src/protocol/jsonrpc/decodeMessage';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../../src/protocol/log';
import { type FaceName, faceOf } from '../../../../src/server/faces/faceOf';
import { sealer } from '../../../../src/server/mcp/methods/requestState';
import { legacyMethods } from '../../../../src/server/mcp/toCommands';
import { asks, initialize } from '../../../support/mcp';

const methodsOf = (face: FaceName) =>
  legacyMethods({
    face: faceOf(face, '0.1.0'),
    sealer: sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }),
    newCallId: () => 'call',
    log: silentLog,
    instructions: 'be kind',
  });

const era = { modern: false, capabilities: {} };
const answered = (line: string, face: FaceName = 'union') => {
  const request = decodeMessage(line) as Request;
  const command = methodsOf(face)(request.method)?.(request, era);
  return command && 'json' in command ? { ...command, json: JSON.parse(command.json) } : command;
};
const reply = (json: unknown) => ({ kind: 'response', id: 1, json });

describe('legacyMethods', () => {
  it('has the methods of these revisions, and logging only where the face declares it', () => {
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

  it('answers initialize with the revision, and instructions where the face has them', () => {
    const { capabilities, serverInfo } = faceOf('union', '0.1.0');
    const result = { protocolVersion: '2025-03-26', capabilities, serverInfo, instructions: 'be kind' };
    expect(answered(initialize(1, '2025-03-26'))).toEqual(reply(result));
    expect(answered(initialize(1, '2025-03-26'), '0.153')).not.toHaveProperty('json.instructions');
  });

  it('answers a revision that is not known with the newest, or with itself where the face did so', () => {
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
