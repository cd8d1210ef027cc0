import { ignoreElements, type Observable, tap } from 'rxjs';
import { addStep, closeAnswer, type History, noHistory } from '../../../src/agent/thread/history';
import { keepUnfinished, NOTHING_SHOWN, type Shown, show, unfinished } from '../../../src/agent/turn/runOperation';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { marbles } from '../../support/marbles';
import { messageOf } from '../../support/models';
import { noteOf, outputOf, reasoning, shell } from '../support';

const about = { callId: 'a', threadId: 'n', turnId: 't', id: 'e' };
const event = (msg: EventMsg): Event => ({ kind: 'event', ...about, msg });
const delta = (text: string): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id: 'm' });
const aborted: EventMsg = { type: 'turn_aborted', reason: 'interrupted' };
const complete = (last_agent_message: string | null): EventMsg => ({ type: 'task_complete', last_agent_message });
const error: EventMsg = { type: 'error', message: 'broke' };

const events = {
  s: event({ type: 'task_started', model_context_window: null }),
  d: event(delta('I have')),
  e: { kind: 'deltas', ...about, msgs: [delta(' pushed'), delta(' it')] } as Event,
  m: event({ type: 'agent_message', message: 'I have pushed it' }),
  f: event(error),
  x: event(aborted),
  z: event(complete('ok')),
  n: event(complete(null)),
};

const prompt = messageOf('user', 'push');
const begun = closeAnswer(noHistory, prompt);
const seen = messageOf('assistant', 'I have pushed it');

/** What a run of these events keeps, after the prompt. */
const kept = (run$: Observable<Event>) => {
  const histories: History[] = [];
  const out$ = keepUnfinished(
    (history) => histories.push(history),
    (keep) => {
      keep(begun);
      return run$;
    },
  );
  return { out$, pasts: () => histories.slice(1).map(({ past, items }) => [...past, ...items]) };
};

describe('keepUnfinished', () => {
  it.each([
    ['is stopped', '  sde-x', [prompt, seen, noteOf()]],
    ['is stopped before the first word', 's-x', [prompt, noteOf()]],
    ['takes too long', 'sde-(fx)', [prompt, seen, noteOf('broke')]],
    ['fails', '       sde-(fn)', [prompt, seen, noteOf('broke')]],
  ])('keeps what was seen, and a note, when the turn %s', (_, run, past) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { out$, pasts } = kept(cold(run, events));
      expectObservable(out$).toBe(run, events);
      flush();
      expect(pasts()).toEqual([past]);
    })();
  });

  it(
    'keeps it before the last event is emitted',
    marbles(({ cold, expectObservable }) => {
      const { out$, pasts } = kept(cold('sdex', events));
      const early$ = out$.pipe(
        tap((each) => each === events.x && expect(pasts()).toHaveLength(1)),
        ignoreElements(),
      );
      expectObservable(early$).toBe('----');
    }),
  );

  it(
    'adds nothing to a turn that was done',
    marbles(({ cold, expectObservable, flush }) => {
      const { out$, pasts } = kept(cold('sdemz', events));
      expectObservable(out$).toBe('sdemz', events);
      flush();
      expect(pasts()).toEqual([]);
    }),
  );

  it(
    'keeps an incomplete message of a turn that is unsubscribed, without a note',
    marbles(({ cold, expectObservable, flush }) => {
      const { out$, pasts } = kept(cold('sde--', events));
      expectObservable(out$, '^--!').toBe('sde', events);
      flush();
      expect(pasts()).toEqual([[prompt, seen]]);
    }),
  );

  it(
    'keeps nothing of a turn that is unsubscribed before it showed anything',
    marbles(({ cold, expectObservable, flush }) => {
      const { out$, pasts } = kept(cold('s---', events));
      expectObservable(out$, '^-!').toBe('s', events);
      flush();
      expect(pasts()).toEqual([]);
    }),
  );

  it(
    'adds nothing to a turn that was never begun',
    marbles(({ cold, expectObservable, flush }) => {
      const histories: History[] = [];
      const out$ = keepUnfinished(
        (history) => histories.push(history),
        () => cold('s-x', events),
      );
      expectObservable(out$).toBe('s-x', events);
      flush();
      expect(histories).toEqual([]);
    }),
  );
});

describe('show', () => {
  const shownAfter = (...msgs: EventMsg[]): Shown => msgs.reduce(show, NOTHING_SHOWN);
  const broken: EventMsg = { type: 'stream_error', message: 'stream error' };

  it('has the text of the message that is not complete', () => {
    expect(shownAfter(delta('a'), delta('b')).text).toBe('ab');
    expect(shownAfter(delta('a'), { type: 'agent_message', message: 'a' }, delta('b')).text).toBe('b');
  });

  it('keeps what broke off until the model writes it again', () => {
    expect(shownAfter(delta('a'), broken).text).toBe('a');
    expect(shownAfter(delta('a'), broken, delta('b'), delta('c')).text).toBe('bc');
  });

  it('stays the same object for all else', () => {
    expect(show(NOTHING_SHOWN, complete(null))).toBe(NOTHING_SHOWN);
  });
});

describe('unfinished', () => {
  it('closes calls under way, after the outputs of those that are done', () => {
    const [done, open] = [shell('c1', 'ls'), shell('c2', 'make')];
    const history = [
      { kind: 'item', item: done } as const,
      { kind: 'item', item: open } as const,
      { kind: 'output', call: done, text: 'a.txt' } as const,
      { kind: 'item', item: reasoning('r', 'hm') } as const,
    ].reduce(addStep, begun);
    expect(unfinished(history, { ...NOTHING_SHOWN, text: 'Now' }, aborted)).toEqual({
      past: [
        ...[prompt, done, open, outputOf('c1', 'a.txt'), outputOf('c2', 'aborted')],
        ...[messageOf('assistant', 'Now'), noteOf()],
      ],
      items: [],
      outputs: [],
    });
  });
});
