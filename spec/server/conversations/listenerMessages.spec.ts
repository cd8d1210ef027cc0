import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../src/protocol/codex/events';
import { listenerMessages } from '../../../src/server/conversations/deliver';
import { approval, deps, eventOf, notification, THREAD, warning } from './support';

const listening = (...listeners: string[]) => ({ id: THREAD, listeners });
const { msg: _, ...ids } = warning;
const delta = (text: string): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id: 'i' });
const deltas = { kind: 'deltas', event: { ...ids, kind: 'deltas', msgs: [delta('a'), delta('b')] } } as const;
const asked = (event: CodexEvent) => ({ kind: 'question', question: 3, event }) as const;
const patch = eventOf({ type: 'apply_patch_approval_request', call_id: 'p', changes: {}, grant_root: '/g' });

describe('listenerMessages', () => {
  it('sends an event to each listener, and each delta of several in order', () => {
    expect(listenerMessages(deps, listening('s', 't'), { kind: 'event', event: warning })).toEqual([
      notification('s', { type: 'warning', message: 'w' }),
      notification('t', { type: 'warning', message: 'w' }),
    ]);
    expect(listenerMessages(deps, listening('s', 't'), deltas)).toEqual([
      notification('s', { ...delta('a') }),
      notification('t', { ...delta('a') }),
      notification('s', { ...delta('b') }),
      notification('t', { ...delta('b') }),
    ]);
  });

  it('sends an event as 0.28.0 did, without its subscription', () => {
    expect(listenerMessages({ ...deps, extended: false }, listening('s'), { kind: 'event', event: warning })).toEqual([
      {
        kind: 'notification',
        method: 'codex/event/warning',
        params: { id: '0', msg: { type: 'warning', message: 'w' }, conversationId: THREAD },
      },
    ]);
  });

  it.each([
    [
      'a command',
      approval,
      'execCommandApproval',
      { conversation_id: THREAD, call_id: 'x', command: ['ls'], cwd: '/' },
    ],
    [
      'a patch  ',
      patch,
      'applyPatchApproval',
      { conversation_id: THREAD, call_id: 'p', file_changes: {}, grant_root: '/g' },
    ],
    ['a form   ', warning, 'elicitation/create', { message: 'form' }],
  ])('asks about %s once, however many listen', (_, event, method, params) => {
    expect(listenerMessages(deps, listening('s', 't'), asked(event))).toEqual([
      { kind: 'request', id: 3, method, params },
    ]);
  });
});
