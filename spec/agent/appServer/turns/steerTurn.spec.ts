import { throwError } from 'rxjs';
import { steerTurn } from '../../../../src/agent/appServer/turns/steerTurn';
import type { InputOffer } from '../../../../src/agent/turns/queueTurns';
import { turnEvent } from '../../../../src/agent/turns/turnEvents';
import type { Event, Joined } from '../../../../src/protocol/codex/events';
import { toInput } from '../../../../src/protocol/codex/input';
import type { TurnOp } from '../../../../src/protocol/codex/operations';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { linkDouble } from '../connection/link';

const op = (callId: string): TurnOp => ({
  kind: 'input',
  callId,
  eventId: callId,
  thread: { id: 't1' },
  input: [...toInput(callId), { type: 'localImage', path: 'a.png' }],
  askable: true,
});
const offers: Record<string, InputOffer> = {
  i: { kind: 'offered', op: op('i') },
  j: { kind: 'offered', op: op('j') },
  x: { kind: 'withdrawn', callId: 'i' },
};
const event = (turnId: string, msg: Parameters<typeof turnEvent>[1]): Event =>
  turnEvent({ op: op('a'), threadId: 't1', turnId }, msg);
/** q an event before the turn has an id, s the first with it, z the last. */
const events = {
  q: event('', { type: 'warning', message: '' }),
  s: event('u', { type: 'task_started', model_context_window: null }),
  z: event('u', { type: 'task_complete', last_agent_message: null }),
};
const joined = (callId: string): Joined => ({ kind: 'joined', callId, threadId: 't1', turnCallId: 'a' });
const out = { I: joined('i'), J: joined('j') };
const input = (text: string) => [
  { type: 'text', text },
  { type: 'localImage', path: '/w/a.png' },
];
const sent = (callId: string) => ['turn/steer', { threadId: 't1', expectedTurnId: 'u', input: input(callId) }];

describe('steerTurn', () => {
  it.each([
    [
      'sends what waits once the turn is named, and what comes later at once',
      'i----j---',
      'q-s-----z',
      '--I--J--|',
      'ij',
    ],
    ['sends nothing that was withdrawn before', '             i-x------', 'q--s---z-', '-------|', ''],
    ['sends nothing after the turn', '                        --------i', 'q--s---z-', '-------|', ''],
    ['sends nothing where the turn was never named', '        i--------', 'q------z-', '-------|', ''],
  ])('%s', (_, given, turn, expected, callIds) =>
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { link, requests } = linkDouble(cold('-'), { 'turn/steer': () => cold('(r|)', { r: {} }) });
      const event$ = hot(turn, events);
      const steer = steerTurn({ link, threadId: 't1', cwd: '/w', callId: 'a', event$ });
      expectObservable(hot(given.trim(), offers).pipe(steer)).toBe(expected, out);
      flush();
      expect(requests).toEqual([...callIds].map(sent));
    })(),
  );

  it(
    'waits for the response to what it sent before the turn was over',
    marbles(({ hot, cold, expectObservable }) => {
      const { link } = linkDouble(cold('-'), { 'turn/steer': () => cold('----(r|)', { r: {} }) });
      const event$ = hot('   s---z', events);
      const input$ = hot('   --i--', offers);
      const expected = '     ------(I|)';
      expectObservable(input$.pipe(steerTurn({ link, threadId: 't1', cwd: '/w', callId: 'a', event$ }))).toBe(
        expected,
        out,
      );
    }),
  );

  it(
    'leaves what the server refuses',
    marbles(({ hot, cold, expectObservable }) => {
      const refused = () => throwError(() => new RpcError(-32600, 'no active turn to steer'));
      const { link } = linkDouble(cold('-'), { 'turn/steer': refused });
      const event$ = hot('   s---z', events);
      const input$ = hot('   --i--', offers);
      expectObservable(input$.pipe(steerTurn({ link, threadId: 't1', cwd: '/w', callId: 'a', event$ }))).toBe('----|');
    }),
  );
});
