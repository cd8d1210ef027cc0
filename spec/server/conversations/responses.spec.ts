import type { Request } from '../../../src/protocol/jsonrpc/messages';
import type { Outcome } from '../../../src/server/calls/turn';
import { noConversations } from '../../../src/server/conversations/conversation';
import { opened, toInterrupted, toResumed } from '../../../src/server/conversations/receiveOutput';

const request: Request = { kind: 'request', id: 1, method: 'm', params: {} };
const rejected = { kind: 'rejected', message: 'it is in use by the process 2' } as const;
const stored = { id: 'T', path: '/r.jsonl', model: 'm' };

describe('the response to a conversation that does not open', () => {
  it.each([
    ['creating', () => opened(noConversations(), { callId: 'c', request, outcome: rejected }).messages],
    ['resuming', () => [toResumed({ method: 'resumeConversation', request, stored }, rejected)]],
  ])('names what failed: %s', (what, respond) => {
    expect(respond()).toEqual([
      {
        kind: 'response',
        id: 1,
        batch: undefined,
        error: { code: -32603, message: `error ${what} conversation: it is in use by the process 2` },
      },
    ]);
  });

  it('names settings that do not fit', () => {
    const outcome = { kind: 'rejected', message: 'Failed to load Codex configuration: no cwd' } as const;
    expect(toResumed({ method: 'resumeConversation', request, stored }, outcome)).toMatchObject({
      error: { code: -32600, message: 'error deriving config: no cwd' },
    });
  });
});

describe('toInterrupted', () => {
  it('is a result once the turn is over, and an error where it could not be interrupted', () => {
    const result = { abortReason: 'interrupted' };
    expect(toInterrupted(request, { kind: 'done' } as Outcome)).toMatchObject({ id: 1, result });
    const error = { code: -32603, message: 'it is in use by the process 2' };
    expect(toInterrupted(request, rejected)).toMatchObject({ id: 1, error });
  });
});
