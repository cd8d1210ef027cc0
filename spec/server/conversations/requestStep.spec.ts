import { known, respond, toBegin } from '../../../src/server/conversations/receiveRequest';
import { deps, requestOf, response, stateWith, THREAD } from './support';

const requestDeps = { ...deps, isKnown: (id: string) => id === THREAD, submissionsOf: () => 0 };

describe('known', () => {
  it('is the conversation of an id that the connection has, and rejects any other', () => {
    const state = stateWith({ listeners: ['s'] });
    expect(known(requestDeps, state, THREAD)).toEqual({ id: THREAD, listeners: ['s'], kept: [] });
    expect(() => known(requestDeps, state, 'other')).toThrow(
      expect.objectContaining({ code: -32600, message: 'conversation not found: other' }),
    );
  });
});

describe('toBegin', () => {
  it('begins a call under the id of its operation, which asks by requests', () => {
    const caller = { method: 'send', conversationId: THREAD, eventId: '0' } as const;
    const op = { kind: 'interruptThread', callId: 'c', thread: { id: THREAD } } as const;
    expect(toBegin(caller, 5, op)).toEqual({
      kind: 'begin',
      call: { callId: 'c', requestId: 5, asksBy: 'request', caller },
      op,
    });
  });
});

describe('respond', () => {
  it('answers under the id of the request, in its batch', () => {
    expect(respond(requestOf('m'), { a: 1 })).toEqual(response({ a: 1 }));
    const batch = { size: 2 };
    expect(respond({ ...requestOf('m'), batch }, null)).toEqual({ kind: 'response', id: 1, batch, result: null });
  });
});
