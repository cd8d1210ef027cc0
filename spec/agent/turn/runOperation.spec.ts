import { EMPTY, ignoreElements, NEVER, type Observable, of, tap, throwError } from 'rxjs';
import { addStep, closeAnswer, type History, noHistory } from '../../../src/agent/thread/history';
import {
  keepUnfinished,
  NOTHING_SHOWN,
  type Notification,
  notifyTurn,
  recordPrompt,
  type Shown,
  show,
  unfinished,
} from '../../../src/agent/turn/runOperation';
import type { InputTurn } from '../../../src/agent/turn/runTurn';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { ModelError } from '../../../src/protocol/model/model';
import type { Config } from '../../../src/settings/config';
import type { Prompt } from '../../../src/threads/keepPrompt';
import { SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf, provider } from '../../support/models';
import {
  agentOf,
  config,
  environment,
  first,
  noteOf,
  opened,
  outputOf,
  reasoning,
  shell,
  turn,
  voice,
} from '../support';

const { input: _, ...about } = turn('k', { id: 'n1' });
/** a begins a thread, b goes on with it; k compacts it, x cancels that; n compacts a thread that is new. */
const op = {
  a: turn('a', { start: {} }),
  b: turn('b', { id: 'n1' }),
  k: { ...about, kind: 'compact' } as const,
  n: { ...about, kind: 'compact', thread: { start: {} } } as const,
  x: { kind: 'interrupt', callId: 'k' } as const,
};
const usage = {
  input_tokens: 9,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 11,
};
const spoken = {
  m: item(messageOf('assistant', 'ok')),
  s: item(messageOf('assistant', 'SUM')),
  u: completed('', usage),
  y: completed(),
};
const [own, later, fresh] = [voice('k', 'n1', 'n3'), voice('b', 'n1', 'n4'), voice('k', 'n1', 'n2')];
const out: Record<string, Event> = {
  ...opened,
  M: first.message('ok'),
  Z: first.complete('ok'),
  k: own.started,
  T: own.event({ type: 'token_count', ...usage }),
  z: own.complete(null),
  x: own.aborted,
  K: own.event({ type: 'context_compacted' }),
  F: own.error('broke'),
  R: own.streamError('stream error: broke; retrying 1/1 in 200ms…'),
  b: later.started,
  m: later.message('ok'),
  y: later.complete('ok'),
  c: fresh.configured,
  d: fresh.started,
  e: fresh.complete(null),
};
const user = (callId: string) => messageOf('user', `do ${callId}`);
const broke = (retryable: boolean) => throwError(() => new ModelError('broke', retryable));

describe('compactThread', () => {
  it(
    'sends the summary and the last turns in the place of the conversation, under the environment',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a-------k-------b------|', op);
      const answer$ = cold('   ----m(y|)               ', spoken);
      const summary$ = cold('          -s(u|)          ', spoken);
      const next$ = cold('                     ---m(y|)', spoken);
      const expected = '      -(CS)MZ--k-(TKz)-b--my--|';
      const { agent, requests } = agentOf({ answers: [answer$, summary$, next$], own: { compactPrompt: 'short!' } });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      const turns = [user('a'), messageOf('assistant', 'ok')];
      expect(requests[1]).toMatchObject({ input: [environment, ...turns, messageOf('user', 'short!')], tools: [] });
      expect(requests[2]?.input).toEqual([environment, messageOf('user', `${SUMMARY_MARK}\nSUM`), ...turns, user('b')]);
    }),
  );

  it.each([
    ['fails with the model, and leaves the conversation as it is', 0, () => broke(false), 'kFz'],
    ['fails where the model says nothing', 0, () => of(completed()), 'kGz'],
    ['asks again as often as the provider allows', 1, () => broke(true), 'kRFz'],
  ])('%s', (_name, streamMaxRetries, answer, expected) => {
    const answers = [of(spoken.m, spoken.y), answer(), answer(), of(spoken.m, spoken.y)];
    marbles(({ hot, expectObservable, flush }) => {
      const { agent, requests } = agentOf({ answers, own: { provider: provider({ streamMaxRetries }) } });
      const seen: Event[] = [];
      agent(hot('a-k 1s b', op)).subscribe((event) => seen.push(event));
      expectObservable(hot('-')).toBe('-');
      flush();
      const G = own.error(
        'The model gave no summary, so the conversation is as it was. Try again, or start a new thread.',
      );
      expect(seen.filter(({ callId }) => callId === 'k')).toEqual(
        [...expected].map((letter) => ({ ...out, G })[letter]),
      );
      expect(requests.at(-1)?.input).toEqual([environment, user('a'), messageOf('assistant', 'ok'), user('b')]);
    })();
  });

  it(
    'stops when it is cancelled',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const op$ = hot('       -a-------k--x-----|', op);
      const answer$ = cold('   ----m(y|)         ', spoken);
      const summary$ = cold('          ----------', spoken);
      const expected = '      -(CS)MZ--k--x-----|';
      expectObservable(agentOf({ answers: [answer$, summary$] }).agent(op$)).toBe(expected, out);
      expectSubscriptions(summary$.subscriptions).toBe('---------^--!');
    }),
  );

  it(
    'asks nothing where there is no conversation yet',
    marbles(({ hot, expectObservable, flush }) => {
      const { agent, requests } = agentOf({});
      expectObservable(agent(hot('-n----|', op))).toBe('-(cde)|', out);
      flush();
      expect(requests).toEqual([]);
    }),
  );
});

const events: Record<string, Event> = { s: first.started, z: first.complete('ok') };

const turnOf = (history: Config['history'], text = 'do it'): InputTurn => ({
  op: turn('a', { start: {} }, { input: [{ type: 'text', text }] }),
  thread: { id: 'n1', config: config({ history }) } as InputTurn['thread'],
  turnId: 'n2',
  opensThread: false,
});

/** The operator, and what it kept. */
const watch = (history: Config['history'], text?: string, kept$ = EMPTY) => {
  const kept: Prompt[] = [];
  const keep = (prompt: Prompt) => {
    kept.push(prompt);
    return kept$;
  };
  return { kept, operator: recordPrompt({ keepPrompt: keep }, turnOf(history, text)) };
};

describe('recordPrompt', () => {
  it(
    'keeps the text of the turn, and passes its events',
    marbles(({ cold, expectObservable, flush }) => {
      const { kept, operator } = watch({ persistence: 'save-all', maxBytes: 9 });
      expectObservable(cold('s-(z|)', events).pipe(operator)).toBe('s-(z|)', events);
      flush();
      expect(kept).toEqual([{ threadId: 'n1', text: 'do it', maxBytes: 9 }]);
    }),
  );

  it(
    'keeps nothing where nobody asks for it, and no empty text',
    marbles(({ cold, expectObservable, flush }) => {
      const [none, empty] = [watch({ persistence: 'none' }), watch({ persistence: 'save-all' }, '')];
      expectObservable(cold('s-(z|)', events).pipe(none.operator)).toBe('s-(z|)', events);
      expectObservable(cold('s-(z|)', events).pipe(empty.operator)).toBe('s-(z|)', events);
      flush();
      expect([none.kept, empty.kept]).toEqual([[], []]);
    }),
  );

  it(
    'does not hold up events while the file is locked, and stops with the turn',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const turn$ = cold('s-z', events);
      expectObservable(turn$.pipe(watch({ persistence: 'save-all' }, 'x', NEVER).operator), '---!').toBe('s-z', events);
      expectSubscriptions(turn$.subscriptions).toBe('^--!');
    }),
  );
});

describe('keepUnfinished', () => {
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
});

describe('notifyTurn', () => {
  const events: Record<string, Event> = {
    s: first.started,
    m: first.message('ok'),
    e: first.error('broke'),
    z: first.complete('ok'),
    n: first.complete(null),
    x: first.aborted,
  };

  const turnOf = (own: Partial<Config>, text = 'do it'): InputTurn => ({
    op: turn('a', { start: {} }, { input: [{ type: 'text', text }] }),
    thread: { id: 'n1', config: config(own) } as InputTurn['thread'],
    turnId: 'n2',
    opensThread: false,
  });

  const configured = { notify: ['say', 'done'] };

  /** What was started, by the argument that the program gets last. */
  const watch = (own: Partial<Config> = configured, text?: string) => {
    const started: Notification[] = [];
    const operator = notifyTurn({ notify: (one) => started.push(one) }, turnOf(own, text));
    return { started, operator };
  };
  const payloadOf = ({ argv }: Notification) => JSON.parse(argv.at(-1) ?? '');

  describe('notifyTurn', () => {
    it(
      'passes the events as they are',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const { operator } = watch();
        expectObservable(cold('-s-m-(z|)', events).pipe(operator)).toBe('-s-m-(z|)', events);
        expectObservable(cold<Event>('-').pipe(operator)).toBe('-');
        expectObservable(cold<Event>('|').pipe(operator)).toBe('|');
        expectObservable(cold('-s#', events).pipe(operator)).toBe('-s#', events);
        const turn$ = cold('-s-m', events);
        expectObservable(turn$.pipe(operator), '--!').toBe('-s', events);
        expectSubscriptions(turn$.subscriptions).toBe('^-!');
      }),
    );

    it('starts the program once the turn is complete, with the messages of the turn', () => {
      const { started, operator } = watch();
      const before: number[] = [];
      of(...['s', 'm', 'z'].map((name) => events[name] as Event))
        .pipe(
          tap(() => before.push(started.length)),
          operator,
        )
        .subscribe();
      expect(before).toEqual([0, 0, 0]);
      expect(started).toEqual([{ argv: ['say', 'done', expect.any(String)], workspace: '/repo' }]);
      expect(started.map(payloadOf)).toEqual([
        {
          type: 'agent-turn-complete',
          'thread-id': 'n1',
          'turn-id': 'n2',
          cwd: '/repo',
          'input-messages': ['do it'],
          'last-assistant-message': 'ok',
        },
      ]);
    });

    it.each([
      ['a turn that failed', ['s', 'e', 'n'], configured],
      ['a turn that was stopped', ['s', 'x'], configured],
      ['a turn that goes on', ['s', 'm'], configured],
      ['a thread that has no program', ['s', 'm', 'z'], {}],
    ])('starts nothing for %s', (_, names, own) => {
      const { started, operator } = watch(own);
      of(...names.map((name) => events[name] as Event))
        .pipe(operator)
        .subscribe();
      expect(started).toEqual([]);
    });

    it('keeps the argument within what a system takes', () => {
      const { started, operator } = watch(configured, '界'.repeat(200_000));
      of(events.n as Event)
        .pipe(operator)
        .subscribe();
      const [argument = ''] = started.map(({ argv }) => argv.at(-1));
      expect(Buffer.byteLength(argument)).toBeLessThan(120_000);
      expect(JSON.parse(argument)).toMatchObject({ 'last-assistant-message': null });
    });
  });
});
