import { merge, NEVER, of, Subject, subscribeOn, tap } from 'rxjs';
import type { NativeDeps } from '../../src/agent/nativeAgent';
import type { Trust } from '../../src/agent/safety/readTrust';
import type { Event } from '../../src/protocol/codex/events';
import type { Op } from '../../src/protocol/codex/operations';
import type { ModelEvent } from '../../src/protocol/model/events';
import type { ResponseItem } from '../../src/protocol/model/items';
import type { ModelRequest } from '../../src/protocol/model/request';
import { ConfigError } from '../../src/settings/faults/configError';
import { marbles } from '../support/marbles';
import { completed, item, messageOf, text } from '../support/models';
import { recordOf, storeOf } from '../support/threadStore';
import { slowStarts } from './slowStarts';
import {
  agentOf,
  call,
  command,
  config,
  environment,
  first,
  interrupt,
  noteOf,
  opened,
  outputOf,
  reasoning,
  second,
  shell,
  turn,
  voice,
} from './support';

const usage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 3,
};
/** What models say: text, messages, calls, the end. */
const spoken = {
  t: text('o'),
  m: item(messageOf('assistant', 'ok')),
  z: completed('', usage),
  y: completed(),
  l: item(shell('l', 'ls')),
  p: item(shell('p', 'pwd')),
  r: item(reasoning('r', 'hm')),
};
const reply = (callId: string) => turn(callId, { id: 'n1' });
/** a begins a thread, b and c go on with it, o begins another; 1, 2, 3 interrupt a, b, c; 0 interrupts nobody. */
const op = {
  a: turn('a', { start: {} }),
  b: reply('b'),
  c: reply('c'),
  o: turn('o', { start: {} }),
  1: interrupt('a'),
  2: interrupt('b'),
  3: interrupt('c'),
  0: interrupt('nobody'),
};
const other = voice('o', 'n3', 'n4');

/** The turn of b where it ran last of three. */
const later = voice('b', 'n1', 'n5');
/** A turn that never began has no id. */
const withdrawn = voice('b', 'n1', '').aborted;
const third = voice('c', 'n1', 'n3');

/** Of the call a in capitals, of b in small letters. */
const out = {
  ...opened,
  T: first.delta('o'),
  M: first.message('ok'),
  U: first.event({ type: 'token_count', ...usage, total: usage, turn: usage }),
  Z: first.complete('ok'),
  N: first.complete(null),
  X: first.aborted,
  B: first.begin('l', ['ls']),
  E: first.end('l'),
  P: first.begin('p', ['pwd']),
  Q: first.end('p'),
  s: second.started,
  t: second.delta('o'),
  m: second.message('ok'),
  z: second.complete('ok'),
  x: second.aborted,
};
const user = (callId: string) => messageOf('user', `do ${callId}`);
const ok = messageOf('assistant', 'ok');
const inputs = (requests: ModelRequest[]) => requests.map(({ input }) => input);

describe('nativeAgent', () => {
  it(
    'emits a new thread from its first event to its last',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const op$ = hot('       -a-|           ', op);
      const answer$ = cold('   ----t-m-(z|)  ', spoken);
      const expected = '      -(CS)T-M-(UZ|) ';
      const asked = '         -^-------!     ';
      const { agent, requests } = agentOf({ answers: [answer$] });
      expectObservable(agent(op$)).toBe(expected, out);
      expectSubscriptions(answer$.subscriptions).toBe(asked);
      flush();
      expect(requests).toEqual([
        {
          threadId: 'n1',
          model: 'm',
          instructions: expect.stringMatching(/^You are Codex/),
          input: [environment, user('a')],
          tools: ['shell', 'apply_patch'].map((name) => expect.objectContaining({ name })),
          reasoning: null,
          store: false,
        },
      ]);
    }),
  );

  it(
    'runs a command and goes on with its output',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const op$ = hot('       -a-|            ', op);
      const call$ = cold('     ----l(y|)      ', spoken);
      const ls$ = cold('           b-(eo|)    ', command('l', 'ls'));
      const answer$ = cold('         -m(y|)   ', spoken);
      const expected = '      -(CS)B-EM(Z|)   ';
      const { agent, requests, ran } = agentOf({ answers: [call$, answer$], commands: { ls: ls$ } });
      expectObservable(agent(op$)).toBe(expected, out);
      flush();
      const callId = 'l';
      const env = { PATH: '/bin' };
      expect(ran).toEqual([{ callId, argv: ['ls'], cwd: '/repo', env, timeoutMs: 10_000, parsed: [] }]);
      expect(inputs(requests)[1]).toEqual([environment, user('a'), shell('l', 'ls'), outputOf('l', 'l ran')]);
    }),
  );

  it.each([
    ['in their order', false, '-(CS)B----(EP)-Q-M(Z|)'],
    ['side by side where they only read', true, '-(CS)BP---EQ-M(Z|)'],
  ])(
    'runs the calls of one answer %s; the next request has the calls, then their outputs in that order',
    (_, trusted, expected) =>
      marbles(({ hot, cold, expectObservable, flush }) => {
        const op$ = hot('    -a-|                  ', op);
        const call$ = cold('  ----lp(y|)           ', spoken);
        const ls$ = cold('        b----(eo|)       ', command('l', 'ls'));
        const pwd$ = cold('       b----(eo|)       ', command('p', 'pwd'));
        const answer$ = cold('    --m(y|)          ', spoken);
        const readTrust = () => of<Trust>(trusted ? { trusted, commands: [['ls']] } : { trusted, why: '' });
        const { agent, requests } = agentOf({
          answers: [call$, answer$],
          commands: { ls: ls$, pwd: pwd$ },
          shell: { readTrust },
        });
        expectObservable(agent(op$)).toBe(expected, out);
        flush();
        const [l, p] = [shell('l', 'ls'), shell('p', 'pwd')];
        const outputs = [outputOf('l', 'l ran'), outputOf('p', 'p ran')];
        expect(inputs(requests)[1]).toEqual([environment, user('a'), l, p, ...outputs]);
      })(),
  );

  it(
    'queues the turns of one thread and runs another thread beside them',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const op$ = hot('       -a----bo|                   ', op);
      const a$ = cold('        ----------t-m(y|)          ', spoken);
      const o$ = cold('              -----------m-(y|)    ', spoken);
      const b$ = cold('                     -----t-m-(y|) ', spoken);
      const expected = '      -(CS)--(ck)T-M(Zs)ntwm-(z|) ';
      const asked = '         --------------^--------!    ';
      const { agent, requests } = agentOf({ answers: [a$, o$, b$] });
      const values = {
        ...out,
        c: other.configured,
        k: other.started,
        n: other.message('ok'),
        w: other.complete('ok'),
        s: later.started,
        t: later.delta('o'),
        m: later.message('ok'),
        z: later.complete('ok'),
      };
      expectObservable(agent(op$)).toBe(expected, values);
      expectSubscriptions(b$.subscriptions).toBe(asked);
      flush();
      expect(requests.map(({ threadId }) => threadId)).toEqual(['n1', 'n3', 'n1']);
      expect(inputs(requests)[2]).toEqual([environment, user('a'), ok, user('b')]);
    }),
  );

  describe('when a turn is interrupted', () => {
    it(
      'stops the model and the command at once',
      marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
        const op$ = hot('     -a------1b|         ', op);
        const answer$ = cold(' ----rl----         ', spoken);
        const ls$ = cold('          b-----         ', command('l', 'ls'));
        const next$ = cold('         ----m(y|)     ', spoken);
        const expected = '    -(CS)gB-Xs---m(z|)  ';
        const asked = '       -^------!           ';
        const running = '     ------^-!           ';
        const { agent, requests } = agentOf({ answers: [answer$, next$], commands: { ls: ls$ } });
        const g = first.event({ type: 'agent_reasoning', text: 'hm' });
        expectObservable(agent(op$)).toBe(expected, { ...out, g });
        expectSubscriptions(answer$.subscriptions).toBe(asked);
        expectSubscriptions(ls$.subscriptions).toBe(running);
        flush();
        const stopped = [reasoning('r', 'hm'), shell('l', 'ls'), outputOf('l', 'aborted')];
        expect(inputs(requests)[1]).toEqual([environment, user('a'), ...stopped, noteOf(), user('b')]);
      }),
    );

    it(
      'leaves out reasoning that led to nothing',
      marbles(({ hot, cold, expectObservable, flush }) => {
        const op$ = hot('     -a------1b|         ', op);
        const answer$ = cold(' ----mr----         ', spoken);
        const next$ = cold('         ----m(y|)     ', spoken);
        const expected = '    -(CS)Mg-Xs---m(z|)  ';
        const { agent, requests } = agentOf({ answers: [answer$, next$] });
        const g = first.event({ type: 'agent_reasoning', text: 'hm' });
        expectObservable(agent(op$)).toBe(expected, { ...out, g });
        flush();
        expect(inputs(requests)[1]).toEqual([environment, user('a'), ok, noteOf(), user('b')]);
      }),
    );

    it(
      'ends one that waits at once, and never begins it',
      marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
        const op$ = hot('     -a----b2c---|           ', op);
        const a$ = cold('      --------m(y|)          ', spoken);
        const c$ = cold('               -----m(y|)    ', spoken);
        const expected = '    -(CS)--x-M(Zk)-n(y|)    ';
        const { agent, requests } = agentOf({ answers: [a$, c$] });
        const values = { ...out, x: withdrawn, k: third.started, n: third.message('ok'), y: third.complete('ok') };
        expectObservable(agent(op$)).toBe(expected, values);
        expectSubscriptions(a$.subscriptions).toBe('-^--------!');
        flush();
        expect(inputs(requests)[1]).toEqual([environment, user('a'), ok, user('c')]);
      }),
    );

    it(
      'takes the first of two answers, and none that has no question or comes too late',
      marbles(({ hot, cold, expectObservable }) => {
        const op$ = hot('     -a---0-11-b---1|     ', op);
        const answer$ = cold(' --------            ', spoken);
        const next$ = cold('            ----m(y|) ', spoken);
        const expected = '    -(CS)--X--s---m(z|)  ';
        const { agent } = agentOf({ answers: [answer$, next$] });
        expectObservable(agent(op$)).toBe(expected, out);
      }),
    );

    it(
      'takes one that comes in the same instant as the turn, or as its first event',
      marbles(({ hot, expectObservable }) => {
        const op$ = hot('   -(a1|)', op);
        const expected = '  -(CSX|)';
        expectObservable(agentOf({}).agent(op$)).toBe(expected, out);

        const echo$ = new Subject<Op>();
        const answered$ = agentOf({}).agent(merge(hot('-a', op), echo$));
        expectObservable(answered$.pipe(tap(() => echo$.next(op[1])))).toBe('-(CX)', out);
      }),
    );
  });

  it(
    'stops everything when nobody listens any more',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const op$ = hot('       -a---bo--       ', op);
      const answer$ = cold('   ----l----      ', spoken);
      const ls$ = cold('           b----      ', command('l', 'ls'));
      const o$ = cold('             -----     ', spoken);
      const stop = '          ----------!     ';
      const expected = '      -(CS)B(ck)      ';
      const { agent } = agentOf({ answers: [answer$, o$], commands: { ls: ls$ } });
      expectObservable(agent(op$), stop).toBe(expected, { ...out, c: other.configured, k: other.started });
      expectSubscriptions(op$.subscriptions).toBe('    ^---------!');
      expectSubscriptions(answer$.subscriptions).toBe('-^--------!');
      expectSubscriptions(ls$.subscriptions).toBe('    -----^----!');
      expectSubscriptions(o$.subscriptions).toBe('     ------^---!');
    }),
  );

  it(
    'waits, is empty and fails as its ops do',
    marbles(({ hot, cold, expectObservable }) => {
      const { agent } = agentOf({ answers: [cold('----', spoken)] });
      expectObservable(agent(hot('----'))).toBe('----');
      expectObservable(agent(hot('--|'))).toBe(' --|');
      expectObservable(agent(hot('-0|', op))).toBe('--|');
      expectObservable(agent(hot('-a----#', op))).toBe('-(CS)-#', out);
    }),
  );

  it(
    'opens a thread without a turn; its first turn does not open it again',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { input: _, ...about } = op.a;
      const op$ = hot('       -a-----b--------|', { ...op, a: { ...about, kind: 'open' } as Op });
      const answer$ = cold('         ---m(y|)  ', spoken);
      const expected = '      -(CD)--s--mz----|';
      const { agent, requests } = agentOf({ answers: [answer$] });
      const D = { kind: 'done', callId: 'a', threadId: 'n1' } as const;
      expectObservable(agent(op$)).toBe(expected, { ...out, D });
      flush();
      expect(inputs(requests)).toEqual([[environment, user('b')]]);
    }),
  );

  it('begins many turns in turns of the event loop; a turn that is interrupted before never begins', () => {
    const { starts, turns } = slowStarts();
    const { agent, requests } = agentOf({
      answers: [NEVER, NEVER, NEVER, NEVER],
      deps: { startTurn: (turn$) => turn$.pipe(subscribeOn(starts)) },
    });
    const calls = ['a', 'o', 'p', 'q'].map((callId) => turn(callId, { start: {} }));
    const aborted: unknown[] = [];
    const inOrder = of<Op[]>(...calls, interrupt('p'));
    const running = agent(merge(inOrder, NEVER)).subscribe(
      (event) => event.kind === 'event' && event.msg.type === 'turn_aborted' && aborted.push(event.callId),
    );
    expect([requests.length, aborted]).toEqual([2, ['p']]);
    turns.shift()?.();
    expect(requests.length).toBe(3);
    running.unsubscribe();
  });

  it('forgets a thread that was closed', () => {
    const { input: _, ...about } = op.b;
    const seen: unknown[] = [];
    const { agent } = agentOf({ answers: [of(spoken.m, spoken.y)] });
    const ops = [op.a, { ...about, callId: 'k', kind: 'close' } as const, op.b];
    agent(of<Op[]>(...ops)).subscribe((event) => event.kind !== 'event' && seen.push(event));
    const message = 'Session not found for thread_id: n1. Start one with the tool codex.';
    expect(seen).toEqual([
      { kind: 'done', callId: 'k', threadId: 'n1' },
      { kind: 'rejected', callId: 'b', message },
    ]);
  });

  it('runs a turn under settings of its own, and later ones under what was set for good', () => {
    const configure: NativeDeps['configure'] = ({ model = 'm', cwd = '/repo' }) => config({ model, cwd });
    const answers = [1, 2, 3].map(() => of(spoken.m, spoken.y));
    const { agent, requests } = agentOf({ answers, deps: { configure } });
    const thread = { id: 'n1' };
    const settings = { ...turn('b', thread), settings: { model: 'once' } };
    const lasting = { ...turn('c', thread), lasting: { cwd: '/other' } };
    agent(of<Op[]>(op.a, settings, lasting)).subscribe();
    expect(requests.map(({ model }) => model)).toEqual(['m', 'once', 'm']);
    const [item] = environment.type === 'message' ? environment.content : [];
    const text = item?.type === 'input_text' ? item.text.replace('/repo', '/other') : '';
    expect(inputs(requests)[2]).toEqual([
      environment,
      user('a'),
      ok,
      user('b'),
      ok,
      messageOf('user', text),
      user('c'),
    ]);
  });

  it('begins a thread under what was set for good with its first turn, and keeps that', () => {
    const configure: NativeDeps['configure'] = ({ model = 'm' }) => config({ model });
    const answers = [1, 2].map(() => of(spoken.m, spoken.y));
    const { agent, requests } = agentOf({ answers, deps: { configure } });
    agent(of<Op[]>({ ...op.a, lasting: { model: 'new' } }, op.b)).subscribe();
    expect(requests.map(({ model }) => model)).toEqual(['new', 'new']);
  });

  it('opens a stored thread under what is to last, and so it need not fit as it was', () => {
    const configure: NativeDeps['configure'] = ({ model = 'm' }) => {
      if (model === 'gone') throw new ConfigError('no model gone');
      return config({ model });
    };
    const resume = () => of({ id: 'n9', settings: { model: 'gone' }, items: [], record: recordOf(), folders: {} });
    const deps = { configure, openStore: () => storeOf({ resume }).store };
    const { input: _, ...about } = op.a;
    const opening = (lasting?: { model: string }) => {
      const seen: Event['kind'][] = [];
      const open = { ...about, callId: 'o', kind: 'open', thread: { id: 'n9' }, ...(lasting && { lasting }) } as const;
      agentOf({ answers: [], deps })
        .agent(of<Op[]>(open))
        .subscribe(({ kind }) => seen.push(kind));
      return seen;
    };
    expect(opening()).toEqual(['rejected']);
    expect(opening({ model: 'new' })).toEqual(['done']);
  });

  describe('an answer without a message or a call', () => {
    const search: ModelEvent[] = [
      { kind: 'search', callId: 'w' },
      { kind: 'search', callId: 'w', query: 'rx' },
    ];
    const unknown: ModelEvent = { kind: 'unknown', type: 'moon_call' };
    const left =
      'The model sent an item of the type moon_call, which is not known here, or lacks a part. It was left out.';
    const W = first.event({ type: 'warning', message: left, item_type: 'moon_call' });
    const values = {
      ...out,
      W,
      B: first.event({ type: 'web_search_begin', call_id: 'w' }),
      E: first.event({ type: 'web_search_end', call_id: 'w', query: 'rx' }),
      F: first.error(
        'The model gave no answer: twice it sent only moon_call, neither a message nor a tool call. Try again, or choose another model.',
      ),
    };
    const note = (types: string) =>
      messageOf(
        'user',
        `Your answer had neither a message nor a call of a tool, only ${types}. Answer with a message, or call one of the tools.`,
      );

    it.each<[string, ModelEvent[][], string, string | undefined]>([
      ['is followed by a note to the model', [[unknown], [spoken.m]], '(CSWMZ|)', 'moon_call'],
      ['fails the turn where the next is the same', [[unknown], [unknown]], '(CSWWFN|)', 'moon_call'],
      ['is a search that led nowhere', [search, [spoken.m]], '(CSBEMZ|)', 'web_search_call'],
      ['is none where a message stands beside', [[...search, spoken.m]], '(CSBEMZ|)', undefined],
      ['is one that the server found empty', [[{ kind: 'nothing' }], [spoken.m]], '(CSMZ|)', 'an empty text'],
      ['is none where the model says nothing at all', [[]], '(CSN|)', undefined],
    ])('%s', (_, answers, expected, types) =>
      marbles(({ hot, expectObservable, flush }) => {
        const { agent, requests } = agentOf({ answers: answers.map((events) => of(...events, spoken.y)) });
        expectObservable(agent(hot('(a|)', op))).toBe(expected, values);
        flush();
        const asked = [environment, user('a')];
        expect(inputs(requests)).toEqual(types === undefined ? [asked] : [asked, [...asked, note(types)]]);
      })(),
    );

    const thought: ResponseItem = { type: 'reasoning', id: 'r', summary: [], encrypted_content: null };
    const wordless: ResponseItem = { type: 'message', id: 'm', role: 'assistant', content: [] };
    it.each<[string, ResponseItem, ResponseItem[]]>([
      ['of thoughts alone', thought, []], // which providers refuse without what they led to
      ['of a message without a text', wordless, [wordless]],
    ])('%s is followed by a note too, where the turn has no message yet', (_, item, kept) =>
      marbles(({ hot, expectObservable, flush }) => {
        const silent: ModelEvent = { kind: 'item', item };
        const { agent, requests } = agentOf({ answers: [of(silent, spoken.y), of(spoken.m, silent, spoken.y)] });
        expectObservable(agent(hot('(a|)', op))).toBe('(CSMZ|)', values);
        flush();
        const asked = [environment, user('a')];
        expect(inputs(requests)).toEqual([asked, [...asked, ...kept, note(item.type)]]);
      })(),
    );
  });

  it('runs a native command as one of the tool shell', () => {
    const call: ResponseItem = {
      type: 'local_shell_call',
      id: 'i',
      call_id: 'l',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], timeout_ms: 5, working_directory: null },
    };
    const commands = { ls: of(command('l', 'ls').o) };
    const answers = [of<ModelEvent[]>(item(call), spoken.y), of(spoken.m, spoken.y)];
    const { agent, requests, ran } = agentOf({ answers, commands });
    agent(of(op.a)).subscribe();
    expect(ran).toMatchObject([{ argv: ['ls'], cwd: '/repo', timeoutMs: 5 }]);
    expect(inputs(requests)[1]?.slice(2)).toEqual([call, outputOf('l', 'l ran')]);
  });

  it('shows the model a picture that it asks for after the outputs', () => {
    const look = call('v', { path: 'p.png' }, 'view_image');
    const answers = [of(item(look), spoken.y), of(spoken.m, spoken.y)];
    const { agent, requests } = agentOf({
      answers,
      own: { contextWindow: 100_000, tools: { webSearch: false, viewImage: true } },
    });
    agent(of(op.a)).subscribe();
    const picture = { ...messageOf('user', ''), content: [{ type: 'input_image', image_url: 'data:/repo/p.png' }] };
    expect(inputs(requests)[1]?.slice(2)).toEqual([look, outputOf('v', 'attached local image path'), picture]);
  });

  it('configures a thread as its call wants it, and makes its model for its provider', () => {
    const asked: unknown[] = [];
    const deps: Partial<NativeDeps> = {
      configure: (settings) => {
        asked.push(settings);
        return config();
      },
      modelOf: (provider) => {
        asked.push(provider);
        return () => NEVER;
      },
    };
    const op$ = of<Op[]>(turn('a', { start: { model: 'x' } }), interrupt('a'), turn('b', { id: 'n1' }));
    agentOf({ deps }).agent(op$).subscribe().unsubscribe();
    expect(asked).toEqual([{ model: 'x' }, config().provider]);
  });

  it.each([
    [
      'a thread that is not there',
      { id: 'n9' },
      {},
      'Session not found for thread_id: n9. Start one with the tool codex.',
    ],
    [
      'the newest thread where there is none',
      { newest: true } as const,
      {},
      'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.',
    ],
    [
      'a thread whose configuration is wrong',
      { start: {} },
      {
        configure: () => {
          throw new ConfigError('model: expected string');
        },
      },
      'Failed to load Codex configuration: model: expected string',
    ],
    [
      'a thread that cannot start because of a bug',
      { start: {} },
      {
        modelOf: () => {
          throw new Error('boom');
        },
      },
      'internal error: boom',
    ],
  ])('rejects a call for %s; the newest thread stays the one before', (_, ref, deps, message) =>
    marbles(({ hot, expectObservable }) => {
      const events = { R: { kind: 'rejected', callId: 'r', message }, N: { kind: 'rejected', callId: 'n' } };
      const op$ = hot<Op>('rn', { r: turn('r', ref), n: turn('n', { newest: true }) });
      const { agent } = agentOf({ deps });
      expectObservable(agent(op$)).toBe('RN', { ...events, N: expect.objectContaining(events.N) });
    })(),
  );
});
