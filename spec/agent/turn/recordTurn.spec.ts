import { concat, ignoreElements, map, NEVER, type Observable, of, tap } from 'rxjs';
import { addStep, closeAnswer, type History, noHistory } from '../../../src/agent/thread/history';
import { recordEvent, recordedBy, recordHistory, recordTurn } from '../../../src/agent/turn/recordTurn';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { readRolloutLine } from '../../../src/threads/lines/readRolloutLine';
import type { RolloutEntry } from '../../../src/threads/lines/rolloutEntry';
import { ThreadError } from '../../../src/threads/threadError';
import type { ThreadRecord } from '../../../src/threads/threadRecord';
import { marbles } from '../../support/marbles';
import { messageOf } from '../../support/models';
import { type Recorded, recordOf } from '../../support/threadStore';
import { config, custom, environment, outputOf, reasoning, shell, turnOf } from '../support';

const event = (msg: EventMsg): Event => ({ kind: 'event', callId: 'a', threadId: 'n', turnId: 't', id: 'e', msg });
const events = {
  m: event({ type: 'agent_message', message: 'm' }),
  s: event({ type: 'task_started', model_context_window: null }),
  o: event({ type: 'session_configured' } as EventMsg),
  z: event({ type: 'task_complete', last_agent_message: 'm' }),
};
const eventAtEnd = (msg: EventMsg): Event => ({ ...event(msg), threadId: 'n1', turnId: 'n2', id: 'a-event' }) as Event;
const LETTERS: Record<string, string> = { message: 'u', user_message: 'v', agent_message: 'm', task_complete: 'z' };

/** What was recorded, by letters: u a prompt, v its event, m a message, z the end, E that the turn ends. */
const lettersOf = (recorded: Recorded): string =>
  recorded
    .map((each) => (typeof each === 'string' ? 'E' : LETTERS[String('type' in each.payload && each.payload.type)]))
    .join('');

const recording = (run: (keep: (history: History) => void) => Observable<Event>, own: Partial<ThreadRecord> = {}) => {
  const recorded: Recorded = [];
  const kept: History[] = [];
  const turn = turnOf(() => of());
  turn.thread.record = { ...recordOf(recorded), ...own };
  const out$ = recordTurn({ now: () => 0 }, { turn, keep: (history) => kept.push(history) }, run);
  return { out$, recorded, kept };
};

describe('recordTurn', () => {
  it(
    'has the end of a turn recorded before it is emitted',
    marbles(({ cold, expectObservable }) => {
      const { out$, recorded } = recording(() => cold('-m-z|', events));
      const recorded$ = out$.pipe(map(() => lettersOf(recorded)));
      expectObservable(recorded$).toBe('               -a-b|', { a: 'm', b: 'mzE' });
    }),
  );

  it(
    'emits the end of a turn when the store has its lines and has given the thread back',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const kept$ = cold<never>('                 ---|');
      const rested$ = cold<never>('                  --|');
      const own = { endTurn: () => kept$, rest: () => rested$ };
      const { out$ } = recording(() => cold('    -m-z|', events), own);
      expectObservable(out$).toBe('              -m------(z|)', events);
      expectSubscriptions(kept$.subscriptions).toBe('---^--!');
      expectSubscriptions(rested$.subscriptions).toBe('------^-!');
    }),
  );

  it.each([
    ['while it runs', { lost$: '-----#', end: '|' }, '-m---(fg|)'],
    ['at its end', { lost$: '------', end: '--#' }, '-m-----(fg|)'],
  ])('ends a turn whose thread is lost %s, with the reason, and stops it', (_, { lost$, end }, expected) =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const fault = new ThreadError('another process has it');
      const own = { lost$: cold<never>(lost$, {}, fault), endTurn: () => cold<never>(end, {}, fault) };
      const source$ = cold('-m---z', events);
      const reported = {
        f: { ...eventAtEnd({ type: 'error', message: 'another process has it' }) },
        g: { ...eventAtEnd({ type: 'task_complete', last_agent_message: null }) },
      };
      expectObservable(recording(() => source$, own).out$).toBe(expected, { ...events, ...reported });
      expectSubscriptions(source$.subscriptions).toBe(end === '|' ? '^----!' : '^------!');
    })(),
  );

  it(
    'records where folders led that the rollout does not have, or has otherwise',
    marbles(({ cold, expectObservable, flush }) => {
      const recorded: Recorded = [];
      const turn = turnOf(() => of());
      turn.thread.record = recordOf(recorded);
      turn.thread.recordedFolders = { '/a': { path: '/a' }, '/b': { path: '/b' } };
      turn.thread.workspace.folders = { '/a': { path: '/a' }, '/b': { path: '/b', owner: 0 }, '/c': { path: '/v' } };
      const out$ = recordTurn({ now: () => 0 }, { turn, keep: () => {} }, () => cold('-s-|', events));
      expectObservable(out$).toBe('                                                    -s-|', events);
      flush();
      expect(recorded.filter((one) => typeof one !== 'string' && one.type === 'turn_context')).toMatchObject([
        { payload: { codex_rx: { folders: { '/b': { path: '/b', owner: 0 }, '/c': { path: '/v' } } } } },
      ]);
    }),
  );

  it('records where a folder led again, if a turn on another machine has recorded it otherwise', () => {
    const recorded: Recorded = [];
    const turn = turnOf(() => of());
    turn.thread.record = recordOf(recorded);
    turn.thread.recordedFolders = { '/a': { path: '/a' } };
    for (const path of ['/of/another', '/a']) {
      turn.thread.workspace.folders = { '/a': { path } };
      recordTurn({ now: () => 0 }, { turn, keep: () => {} }, () => of(events.s)).subscribe();
      Object.assign(turn.thread, recordedBy(turn.thread));
    }
    const contexts = recorded.filter((one) => typeof one !== 'string' && one.type === 'turn_context');
    expect(contexts).toMatchObject(
      ['/of/another', '/a'].map((path) => ({ payload: { codex_rx: { folders: { '/a': { path } } } } })),
    );
  });

  it(
    'passes other errors on',
    marbles(({ expectObservable }) => {
      const lost$ = concat(of(), NEVER);
      const bug = new TypeError('bug');
      const run = () => {
        throw bug;
      };
      expectObservable(recording(run, { lost$ }).out$).toBe('#', undefined, bug);
    }),
  );

  it(
    'records the history and passes it on',
    marbles(({ cold, expectObservable, flush }) => {
      const history = closeAnswer(noHistory, messageOf('user', 'hi'));
      const { out$, recorded, kept } = recording((keep) => {
        const keeping$ = cold('-k|').pipe(
          tap(() => keep(history)),
          ignoreElements(),
        );
        return concat(cold('s|', events), keeping$, cold('m|', events));
      });
      expectObservable(out$).toBe('s--m|', events);
      flush();
      expect(lettersOf(recorded)).toBe('uvm');
      expect(kept).toEqual([history]);
    }),
  );

  it.each([
    ['the first event', '            -m--|'],
    ['the first event of a new thread', '-(om)|'],
  ])('records what is kept before %s behind it', (_, source) =>
    marbles(({ cold, expectObservable, flush }) => {
      const history = closeAnswer(noHistory, messageOf('user', 'hi'));
      const { out$, recorded, kept } = recording((keep) => {
        keep(history);
        return cold(source, events);
      });
      expectObservable(out$).toBe(source, events);
      flush();
      expect(lettersOf(recorded)).toBe('muv');
      expect(kept).toEqual([history]);
    })(),
  );

  it(
    'passes errors on, and an end without events',
    marbles(({ cold, expectObservable }) => {
      expectObservable(recording(() => cold('-#')).out$).toBe('-#');
      expectObservable(recording(() => cold('-|')).out$).toBe('-|');
    }),
  );

  it(
    'stops with its subscriber',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('                            -m--', events);
      expectObservable(recording(() => source$).out$, '^-!').toBe('-m', events);
      expectSubscriptions(source$.subscriptions).toBe('           ^-!');
    }),
  );
});

describe('recordEvent', () => {
  const entriesOf = (msg: EventMsg, own = {}) =>
    recordEvent(
      { turnId: 't', config: config(own), nowMs: 5_999 },
      { kind: 'event', callId: 'a', threadId: 'n', turnId: 't', id: 'e', msg },
    );
  const event = (payload: object) => ({ type: 'event_msg', payload });

  const tokens = (count: number) => ({
    input_tokens: count,
    cached_input_tokens: 0,
    output_tokens: count,
    reasoning_output_tokens: 0,
    total_tokens: 2 * count,
  });

  describe('recordEvent', () => {
    it('records the settings of a turn where it begins', () => {
      expect(entriesOf({ type: 'task_started', model_context_window: 1_000 })).toEqual([
        event({ type: 'task_started', model_context_window: 1_000, turn_id: 't', started_at: 5 }),
        {
          type: 'turn_context',
          payload: {
            turn_id: 't',
            cwd: '/repo',
            approval_policy: 'on-request',
            model: 'm',
            effort: 'medium',
            summary: 'auto',
            sandbox_policy: { type: 'danger-full-access' },
          },
        },
      ]);
    });

    it('records what may be written to', () => {
      const [, context] = entriesOf(
        { type: 'task_started', model_context_window: null },
        { sandboxMode: 'workspace-write' },
      );
      expect(context?.payload).toMatchObject({
        sandbox_policy: {
          type: 'workspace-write',
          writable_roots: [],
          network_access: false,
          exclude_tmpdir_env_var: false,
          exclude_slash_tmp: false,
        },
      });
    });

    it.each<[EventMsg, object[]]>([
      [{ type: 'agent_message', message: 'a' }, [{ type: 'agent_message', message: 'a', phase: null }]],
      [{ type: 'agent_reasoning', text: 'a' }, [{ type: 'agent_reasoning', text: 'a' }]],
      [
        { type: 'token_count', ...tokens(1), total: tokens(3), turn: tokens(2) },
        [
          {
            type: 'token_count',
            info: {
              total_token_usage: tokens(3),
              last_token_usage: tokens(1),
              model_context_window: config().contextWindow,
            },
            rate_limits: null,
          },
        ],
      ],
      [{ type: 'error', message: 'a' }, [{ type: 'error', message: 'a' }]],
      [{ type: 'warning', message: 'a' }, [{ type: 'warning', message: 'a' }]],
      [
        { type: 'task_complete', last_agent_message: 'a' },
        [{ type: 'task_complete', last_agent_message: 'a', turn_id: 't' }],
      ],
      [
        { type: 'turn_aborted', reason: 'interrupted' },
        [{ type: 'turn_aborted', reason: 'interrupted', turn_id: 't' }],
      ],
      [{ type: 'agent_message_delta', delta: 'a', item_id: '' }, []],
      [{ type: 'background_event', message: 'a' }, []],
    ])('records %j, and what it records is read again', (msg, payloads) => {
      expect(entriesOf(msg)).toEqual(payloads.map(event));
      expect(payloads.flatMap((payload) => readRolloutLine(event(payload)))).toEqual(
        payloads.map((payload) => ({ kind: 'event', msg: payload })),
      );
    });

    it('records nothing of deltas and refusals', () => {
      const turn = { turnId: 't', config: config(), nowMs: 0 };
      expect(recordEvent(turn, { kind: 'declined', callId: 'a', what: 'x' })).toEqual([]);
    });
  });
});

describe('recordHistory', () => {
  /** What a series of histories is recorded as, step by step. */
  const recorded = (...histories: History[]): RolloutEntry[][] => {
    const before = [noHistory, ...histories];
    return histories.map((history, at) => recordHistory(before[at] as History, history));
  };

  const items = (...payloads: ResponseItem[]): RolloutEntry[] =>
    payloads.map((payload) => ({ type: 'response_item', payload }));
  const event = (message: string, images: string[] = []): RolloutEntry => ({
    type: 'event_msg',
    payload: { type: 'user_message', message, images, local_images: [], text_elements: [] },
  });

  const [ls, pwd, why] = [shell('c1', 'ls'), shell('c2', 'pwd'), reasoning('r1')];
  const done: ResponseItem = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };

  describe('recordHistory', () => {
    it('records a prompt as an item and as an event, and the environment as an item', () => {
      expect(recorded(closeAnswer(noHistory, environment, messageOf('user', 'hi')))).toEqual([
        [...items(environment, messageOf('user', 'hi')), event('hi')],
      ]);
    });

    it('records a note on an empty answer as an item only', () => {
      const note = messageOf(
        'user',
        'Your answer had neither a message nor a call of a tool, only reasoning. Answer with a message.',
      );
      expect(recorded(closeAnswer(noHistory, note))).toEqual([items(note)]);
    });

    it('records the pictures of a prompt', () => {
      const prompt: ResponseItem = {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_image', image_url: 'data:' }],
      };
      expect(recorded(closeAnswer(noHistory, prompt))).toEqual([[...items(prompt), event('', ['data:'])]]);
    });

    it('records each item and each output as it comes, once', () => {
      const called = addStep(addStep(noHistory, { kind: 'item', item: why }), { kind: 'item', item: ls });
      const answered = addStep(called, { kind: 'output', call: ls, text: 'a' });
      const closed = closeAnswer(answered);
      const ended = closeAnswer(addStep(closed, { kind: 'item', item: done }), messageOf('user', 'next'));
      expect(recorded(called, answered, closed, ended)).toEqual([
        items(why, ls),
        items(outputOf('c1', 'a')),
        [],
        [...items(done, messageOf('user', 'next')), event('next')],
      ]);
    });

    it('records the outputs of calls that were stopped when their answer is closed', () => {
      const called = [ls, pwd].reduce((history, item) => addStep(history, { kind: 'item', item }), noHistory);
      const one = addStep(called, { kind: 'output', call: pwd, text: 'b' });
      expect(recorded(one, closeAnswer(one))).toEqual([
        items(ls, pwd, outputOf('c2', 'b')),
        items(outputOf('c1', 'aborted')),
      ]);
    });

    it('records outputs of an id that an earlier answer used', () => {
      const again = shell('c1', 'ls');
      const first = closeAnswer(
        addStep(addStep(noHistory, { kind: 'item', item: ls }), { kind: 'output', call: ls, text: 'a' }),
      );
      const second = addStep(addStep(first, { kind: 'item', item: again }), { kind: 'output', call: again, text: 'b' });
      expect(recorded(first, second, closeAnswer(second))).toEqual([
        items(ls, outputOf('c1', 'a')),
        items(again, outputOf('c1', 'b')),
        [],
      ]);
    });

    it('records the output of a free-form call under its own type', () => {
      const call = custom('x', 'apply_patch', '***');
      const history = addStep(addStep(noHistory, { kind: 'item', item: call }), { kind: 'output', call, text: 'ok' });
      expect(recorded(history)[0]?.[1]).toEqual({
        type: 'response_item',
        payload: { type: 'custom_tool_call_output', call_id: 'x', output: 'ok' },
      });
    });

    it('records a history that was compacted as a whole', () => {
      const past = [environment, messageOf('user', 'sum')];
      expect(recorded(closeAnswer(noHistory, messageOf('user', 'a')), { ...noHistory, past })[1]).toEqual([
        { type: 'compacted', payload: { message: '', replacement_history: past } },
      ]);
    });

    it('records one as a whole that is as long as before, and ends alike', () => {
      const last = messageOf('user', 'b');
      const long = closeAnswer(noHistory, environment, messageOf('user', 'a'), last);
      const past = [{ ...environment }, messageOf('user', 'sum'), last];
      expect(recorded(long, { ...noHistory, past })[1]).toEqual([
        { type: 'compacted', payload: { message: '', replacement_history: past } },
      ]);
    });
  });
});
