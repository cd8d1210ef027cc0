import { idKey } from '../../../src/protocol/jsonrpc/messages';
import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { eventTypeOf, serverLabelOf, toPairingKey } from '../../../src/tapes/session/pairingKey';

const messageOf = (message: unknown) => parseLine(JSON.stringify(message)).messages[0];
const event = (params: object) => ({ method: 'codex/event', params });

describe('toPairingKey', () => {
  it.each<[unknown, string, boolean]>([
    [{ id: 1, result: {} }, `response ${idKey(1)}`, true],
    [{ id: '1', error: {} }, `response ${idKey('1')}`, true],
    [{ id: null, error: {} }, 'response null', true],
    [{ id: 7, method: 'elicitation/create', params: { requestId: 1 } }, 'request elicitation/create', true],
    [{ method: 'ready' }, 'ready ', false],
    [event({ msg: { type: 'task_started' }, _meta: { requestId: 3 } }), 'codex/event task_started id 3', false],
    [event({ progressToken: 'p' }), 'codex/event  token p', false],
    [{ seq: 1, type: 'event', event: 'stopped', body: {} }, 'stopped ', true],
    [{ seq: 1, type: 'event', event: 'module', body: {} }, 'module ', false],
    ['no message', 'text', false],
  ])('of %j is %j', (message, key, required) => {
    expect(toPairingKey(messageOf(message) ?? { kind: 'other' })).toEqual({ key, required });
  });
});

describe('eventTypeOf', () => {
  it.each([
    [{ msg: { type: 'task_started' } }, 'task_started'],
    [{ update: { sessionUpdate: 'plan' } }, 'plan'],
    [{ msg: { type: 1 } }, ''],
    [{ msg: 'task_started' }, ''],
    [{}, ''],
    [undefined, ''],
  ])('of %j is %j', (params, type) => {
    expect(eventTypeOf(params)).toBe(type);
  });
});

describe('serverLabelOf', () => {
  it.each<[unknown, string]>([
    [{ id: 1, result: {} }, 'response'],
    [{ id: 1, error: {} }, 'error'],
    [{ method: 'notifications/progress', params: {} }, 'notifications/progress'],
    [event({ msg: { type: 'task_started' } }), 'task_started'],
    ['no message', 'no message'],
  ])('of %j is %s', (message, label) => {
    expect(serverLabelOf(messageOf(message))).toBe(label);
  });

  it('names the lack of a message', () => {
    expect(serverLabelOf(undefined)).toBe('no message');
  });
});
