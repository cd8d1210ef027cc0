import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { placeMsgs } from '../../../src/server/faces/events0153';

const about = { callId: 'c', threadId: 'T', id: 'u' };
const delta = (text: string): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id: 'i' });
const warning: EventMsg = { type: 'warning', message: 'w' };
const asking: EventMsg = { type: 'exec_approval_request', call_id: 'x', command: ['ls'], cwd: '/' };
const update: EventMsg = { type: 'mcp_startup_update', server: 's', status: { state: 'ready' } };
const startup: EventMsg = { type: 'mcp_startup_complete', ready: [], failed: [], cancelled: [] };
const event = (msg: EventMsg, own: object = {}): Event => ({ kind: 'event', ...about, turnId: 'u', msg, ...own });
const deltas = (...msgs: EventMsg[]): Event => ({ kind: 'deltas', ...about, turnId: 'u', msgs });

describe('placeMsgs', () => {
  it.each<[string, EventMsg[], Event[]]>([
    ['nothing                     ', [], []],
    ['a message under the turn    ', [warning], [event(warning)]],
    ['one delta as an event       ', [delta('a')], [event(delta('a'))]],
    ['deltas in a row together    ', [delta('a'), delta('b')], [deltas(delta('a'), delta('b'))]],
    [
      'the rows beside other events',
      [delta('a'), delta('b'), warning, delta('c')],
      [deltas(delta('a'), delta('b')), event(warning), event(delta('c'))],
    ],
    ['what belongs to the thread  ', [startup], [event(startup, { id: '' })]],
    ['what a server of it does    ', [update], [event(update, { id: '' })]],
  ])('places %s', (_, msgs, events) => {
    expect(placeMsgs(about, msgs)).toEqual(events);
  });

  it('gives the question to the request for an approval only', () => {
    expect(placeMsgs({ ...about, question: 7 }, [warning, asking])).toEqual([
      event(warning),
      event(asking, { question: 7 }),
    ]);
  });
});
