import { of, throwError } from 'rxjs';
import { HostError } from '../../../src/protocol/methods/host';
import { storedConversations } from '../../../src/server/host/homeHere';
import { ThreadError } from '../../../src/threads/threadError';
import type { ThreadStore } from '../../../src/threads/threadStore';
import { marbles } from '../../support/marbles';

const context = JSON.stringify({
  timestamp: '',
  type: 'turn_context',
  payload: { model: 'm', cwd: '/', approval_policy: 'never' },
});
const store = {
  read: (ref: string) => of({ summary: { id: ref, path: `/h/${ref}.jsonl` }, text: `${context}\n` }),
  archive: () => throwError(() => new ThreadError('in use')),
} as unknown as ThreadStore;
const { findStored, archiveStored } = storedConversations(() => store);
const ID = '00000000-0000-4000-8000-000000000001';

describe('storedConversations', () => {
  it(
    'finds a conversation by its id or its rollout, with the model of its last turn',
    marbles(({ expectObservable }) => {
      const path = `/h/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${ID}.jsonl`;
      expectObservable(findStored({ path })).toBe('(F|)', { F: { id: ID, path: `/h/${ID}.jsonl`, model: 'm' } });
      expectObservable(findStored({ path: '/etc/passwd' })).toBe(
        '#',
        {},
        new HostError('name it by conversationId, or by the path of its rollout'),
      );
    }),
  );

  it(
    'errors with the reason where a thread cannot be used',
    marbles(({ expectObservable }) => {
      const whole = '01a204a1-3f92-7243-96c5-2be9fe898371';
      expectObservable(archiveStored(whole)).toBe('#', {}, new HostError('in use'));
      const partly = new HostError('name the conversation by its whole id');
      expectObservable(archiveStored('01a204a1')).toBe('#', {}, partly);
    }),
  );
});
