import { closingMsgs, type TurnEnd, type TurnStop, turnEvent, untilStopped } from '../../../src/agent/turns/turnEvents';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { marbles } from '../../support/marbles';
import { aborted, call, done, eventOf } from './support';

describe('turnEvent', () => {
  const ids = { op: call('a'), threadId: 't', turnId: 'u' };
  const event = { kind: 'event', callId: 'a', threadId: 't', turnId: 'u' };

  it('carries the ids of its turn', () => {
    const msg: EventMsg = { type: 'agent_message', message: 'hi' };
    expect(turnEvent(ids, msg)).toEqual({ ...event, id: 'a-event', msg });
  });

  it('leaves the id of the first event of a thread empty', () => {
    const msg = { type: 'session_configured', session_id: 't' } as EventMsg;
    expect(turnEvent(ids, msg)).toEqual({ ...event, id: '', msg });
  });
});

describe('closingMsgs', () => {
  const aborted: EventMsg = { type: 'turn_aborted', reason: 'interrupted' };
  it.each<[TurnEnd, EventMsg[]]>([
    [{ kind: 'finished', message: 'hi' }, [{ type: 'task_complete', last_agent_message: 'hi' }]],
    [{ kind: 'finished', message: null }, [{ type: 'task_complete', last_agent_message: null }]],
    [
      { kind: 'failed', message: 'no model' },
      [
        { type: 'error', message: 'no model' },
        { type: 'task_complete', last_agent_message: null },
      ],
    ],
    [{ kind: 'interrupted' }, [aborted]],
    [{ kind: 'expired', message: 'too long' }, [{ type: 'error', message: 'too long' }, aborted]],
  ])('ends a turn by %j', (end, msgs) => {
    expect(closingMsgs(end)).toEqual(msgs);
  });
});

const events: Record<string, Event> = { a: eventOf('a'), z: done('a'), X: aborted('a'), E: eventOf('a', 'too long') };
const stops: Record<string, TurnStop> = { x: { kind: 'interrupted' }, e: { kind: 'expired', message: 'too long' } };
const close = (stop: TurnStop): Event[] =>
  stop.kind === 'expired' ? [eventOf('a', stop.message), aborted('a')] : [aborted('a')];

describe('untilStopped', () => {
  it.each([
    ['ends with the last event', '-a-z-a', '------', '-a-(z|)', '^--!'],
    ['ends where it is stopped', '-a-a-z', '---x--', '-a-(aX|)', '^--!'],
    ['says why it is stopped', '-a---z', '---e--', '-a-(EX|)', '^--!'],
    ['takes the first reason only', '-a---z', '--xe--', '-a(X|)', '^-!'],
    ['waits while nothing happens', '------', '------', '------', '^-----'],
    ['ends with a source that ends without a last event', '-a|', '----x-', '-a|', '^-!'],
  ])('%s', (_, source, stop, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(source, events);
      expectObservable(event$.pipe(untilStopped(hot(stop, stops), close))).toBe(expected, events);
      expectSubscriptions(event$.subscriptions).toBe(subscribed);
    })(),
  );

  it(
    'errors with its source, and where no end can be made',
    marbles(({ hot, expectObservable }) => {
      const fail = () => {
        throw new Error('no end');
      };
      expectObservable(hot('-a-#', events).pipe(untilStopped(hot('-'), close))).toBe('-a-#', events);
      expectObservable(hot('-a--', events).pipe(untilStopped(hot('--x', stops), fail))).toBe(
        '-a#',
        events,
        new Error('no end'),
      );
    }),
  );
});
