import { isTurnStart, type ServerMessage, threadIdOf, turnIdOf } from '../../../../src/agent/appServer/connection/link';

const notification = (params: object, method = 'm') =>
  ({ kind: 'notification', method, params }) as unknown as ServerMessage;

describe('threadIdOf, turnIdOf', () => {
  it.each([
    [{ threadId: 'T', turnId: 'u' }, 'T', 'u'],
    [{ threadId: 'T', turn: { id: 'u' } }, 'T', 'u'],
    [{ turnId: 'v', turn: { id: 'u' } }, '', 'v'],
    [{ threadId: 7, turn: null }, '', ''],
    [{}, '', ''],
  ])('of %j are %j and %j', (params, threadId, turnId) => {
    expect([threadIdOf(notification(params)), turnIdOf(notification(params))]).toEqual([threadId, turnId]);
  });
});

describe('isTurnStart', () => {
  it.each([
    ['turn/started', true],
    ['turn/completed', false],
    ['item/started', false],
  ])('of %s is %j', (method, expected) => {
    expect(isTurnStart(notification({}, method))).toBe(expected);
  });
});
