import { from } from 'rxjs';
import { type Counted, closeAnswer, noHistory } from '../../../src/agent/thread/history';
import type { Sample, TurnStep } from '../../../src/agent/thread/steps';
import {
  advance,
  initialState,
  isTooLong,
  type LoopState,
  visibleOf,
  withInputs,
  withoutOldOutputs,
} from '../../../src/agent/turn/loopState';
import type { TurnChanges } from '../../../src/executor/patch/turnChanges';
import type { TokenUsage } from '../../../src/protocol/model/events';
import { patchOf, planned } from '../../executor/patch/support';
import { marbles } from '../../support/marbles';
import { messageOf } from '../../support/models';
import { around, first, outputOf, shell, turn, turnOf } from '../support';

const turnDiff = (changes: TurnChanges) => `/repo: ${[...changes.keys()].join()}`;
const begun = turnOf(() => undefined as never, {}, around({ workspace: { turnDiff } }));
const state = initialState(begun);
const call = shell('l', 'ls');
const ok = messageOf('assistant', 'ok');
const usage: TokenUsage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 3,
};
const twice: TokenUsage = {
  input_tokens: 2,
  cached_input_tokens: null,
  output_tokens: 4,
  reasoning_output_tokens: null,
  total_tokens: 6,
};
const cost = first.event({ type: 'token_count', ...usage });
const retry: Sample = { kind: 'sample', attempt: 1, lastMessage: 'ok' };
const plan = planned(patchOf('*** Add File: a', '+x'));
const note =
  'Your answer had neither a message nor a call of a tool, only reasoning. Answer with a message, or call one of the tools.';
const picture = { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'u' }] };

const advanced = (step: TurnStep, before: Partial<LoopState> = {}) =>
  advance(begun, { step, state: { ...state, ...before } });

describe('initialState', () => {
  it('has the history of the thread, and nothing else', () => {
    const history = { ...noHistory, past: [ok] };
    expect(initialState({ ...begun, thread: { ...begun.thread, history } })).toEqual({
      history,
      sample: { kind: 'sample', attempt: 0, lastMessage: null },
      changes: new Map(),
      diff: '',
      inputs: [],
      added: [],
      isAskedAgain: false,
      compaction: 'none',
      isShortened: false,
      rounds: 0,
      calls: { refused: [], isAnyDone: false },
      repeated: { calls: '', times: 0 },
    });
  });
});

describe('advance', () => {
  it.each<[string, TurnStep, Partial<LoopState>, Partial<LoopState>]>([
    ['adds the cost of an answer     ', cost, {}, { usage, history: { ...noHistory, usage, counted: { tokens: 3 } } }],
    [
      'adds it to that of the thread  ',
      cost,
      { history: { ...noHistory, usage } },
      {
        usage,
        history: { ...noHistory, usage: twice, counted: { tokens: 3 } },
      },
    ],
    ['takes any other event for none ', first.started, {}, {}],
    [
      'asks once more after a break   ',
      retry,
      { isAskedAgain: true, compaction: 'done' },
      {
        sample: retry,
        isAskedAgain: false,
        compaction: 'done',
      },
    ],
    [
      'begins again for input that came',
      { kind: 'finished', message: 'ok' },
      { isAskedAgain: true, compaction: 'done' },
      { sample: { ...retry, attempt: 0 }, isAskedAgain: false, compaction: 'none' },
    ],
    [
      'asks again after an answer     ',
      { ...retry, attempt: 0 },
      { compaction: 'done' },
      {
        sample: { ...retry, attempt: 0 },
        compaction: 'none',
      },
    ],
    [
      'asks again with a note         ',
      { kind: 'unanswered', types: ['reasoning'], message: 'ok' },
      {},
      {
        sample: { kind: 'sample', attempt: 0, lastMessage: 'ok' },
        isAskedAgain: true,
        added: [messageOf('user', note)],
      },
    ],
    [
      'takes the shortened past       ',
      { kind: 'compacted', past: [ok] },
      { compaction: 'due' },
      {
        compaction: 'done',
        isShortened: true,
        history: { ...noHistory, past: [ok] },
      },
    ],
    ['shortens what was refused      ', { kind: 'tooLong', message: 'long' }, {}, { compaction: 'due' }],
    [
      'shows an image behind the rest ',
      { kind: 'image', url: 'u' },
      { added: [ok] },
      { added: [ok, picture] as never },
    ],
    [
      'keeps the last message         ',
      { kind: 'finished', message: 'ok' },
      { sample: retry },
      {
        sample: { kind: 'sample', attempt: 0, lastMessage: 'ok' },
      },
    ],
    ['adds an item                   ', { kind: 'item', item: call }, {}, { history: { ...noHistory, items: [call] } }],
    [
      'adds an output                 ',
      { kind: 'output', call, text: 'a' },
      {},
      {
        history: { ...noHistory, outputs: [{ call, text: 'a' }] },
        calls: { refused: [], isAnyDone: true },
      },
    ],
    ['takes an unknown item for none ', { kind: 'unknown', type: 'odd' }, {}, {}],
  ])('%s', (_, step, before, after) => {
    expect(advanced(step, before)).toEqual({ ...state, ...before, ...after });
  });

  it('adds the changes of a patch, and makes their diff for the folder of the thread', () => {
    const { changes, diff, ...rest } = advanced({ kind: 'patched', plan });
    const { changes: _, diff: __, ...unchanged } = state;
    expect([[...changes.keys()], diff, rest]).toEqual([['/ws/a'], '/repo: /ws/a', unchanged]);
  });
});

describe('withInputs', () => {
  it('closes the answer, and adds what the model is shown and the inputs after it', () => {
    const input = { op: turn('i', { id: 'n1' }), message: messageOf('user', 'more') };
    const history = { ...noHistory, items: [call], outputs: [{ call, text: 'a' }] };
    expect(withInputs({ ...state, history, added: [ok], inputs: [input] })).toEqual({
      ...state,
      rounds: 1,
      history: { ...noHistory, past: [call, outputOf('l', 'a'), ok, input.message] },
    });
  });
});

const long = 'x'.repeat(4_000);
const past = ['1', '2', '3', '4', '5'].map((id) => outputOf(id, long));

describe('withoutOldOutputs', () => {
  it('cuts the outputs of all calls but the last four, where the conversation is over the budget', () => {
    const before = { ...state, history: { ...noHistory, past } };
    const cut = withoutOldOutputs(before, { limitTokens: 1, countedTokens: 1, keepTokens: 1 });
    expect(cut).toEqual({
      ...before,
      history: { ...noHistory, past: [expect.objectContaining({ call_id: '1' }), ...past.slice(1)] },
    });
    expect(cut.history.past[0]).not.toEqual(past[0]);
  });

  it('is the same state within the budget', () => {
    const before = { ...state, history: { ...noHistory, past } };
    expect(withoutOldOutputs(before, { limitTokens: 1_000_000, countedTokens: 1_000_000, keepTokens: 1 })).toBe(before);
  });
});

describe('isTooLong', () => {
  it.each([
    ['none', 1, true],
    ['none', 1_000_000, false],
    ['done', 1, false],
    ['due', 1_000_000, true],
  ] as const)('with the compaction %s and a limit of %d: %j', (compaction, limitTokens, expected) => {
    const long = { ...state, compaction, history: { ...noHistory, past } };
    expect(isTooLong(long, { limitTokens, countedTokens: 1, keepTokens: 1 })).toBe(expected);
  });

  it.each<[string, object, boolean]>([
    ['less than the limit, whatever the estimate', { counted: { tokens: 900, upTo: 5 } }, false],
    ['a constant', { counted: { tokens: 20, upTo: 5 } }, true],
    ['more than the limit', { counted: { tokens: 1_001, upTo: 5 } }, true],
    ['less, without what came later', { counted: { tokens: 900, upTo: 4 } }, true],
    [
      'more, for a conversation that was replaced in this turn',
      { counted: { tokens: 1_001, upTo: 5 }, isShortened: true },
      false,
    ],
  ])('by a count of the provider that is %s', (_, { counted, ...own }: { counted?: Counted }, expected) => {
    const counting = { ...state, ...own, history: { ...noHistory, past, counted } } as typeof state;
    const limitTokens = 'isShortened' in own ? 1_000_000 : 1;
    expect(isTooLong(counting, { limitTokens, countedTokens: 1_000, keepTokens: 1 })).toBe(expected);
  });

  it('keeps the count of an answer until the conversation is replaced', () => {
    const counted = advanced(cost);
    expect(counted.history.counted).toEqual({ tokens: 3 });
    expect(closeAnswer({ ...counted.history, past, items: [ok] }, ok).counted).toEqual({ tokens: 3, upTo: 6 });
    const replaced = advanced({ kind: 'compacted', past }, counted);
    expect(replaced).toMatchObject({ isShortened: true, history: { past } });
    expect(replaced.history).not.toHaveProperty('counted');
  });
});

describe('visibleOf', () => {
  const begun = turnOf(() => undefined as never);
  const state = initialState(begun);
  const input = { op: turn('i', { id: 'n1' }), message: messageOf('user', 'more') };
  const usage: TokenUsage = {
    input_tokens: 1,
    cached_input_tokens: null,
    output_tokens: 2,
    reasoning_output_tokens: null,
    total_tokens: 3,
  };
  const total = { ...usage, total_tokens: 9 };
  const patched: TurnStep = { kind: 'patched', plan: { kind: 'plan', files: [], summary: '' } };
  const unanswered: TurnStep = { kind: 'unanswered', types: ['reasoning', 'odd'], message: null };
  const item: TurnStep = { kind: 'item', item: shell('l', 'ls') };
  const tooLong: TurnStep = { kind: 'tooLong', message: 'too long' };
  const cost = { type: 'token_count', ...usage } as const;
  const out = {
    D: first.event({ type: 'turn_diff', unified_diff: 'd' }),
    C: first.event({ type: 'context_compacted' }),
    T: first.event({ ...cost, total, turn: usage }),
    t: first.event(cost),
    I: item,
    S: first.started,
    Z: first.complete('ok'),
    z: first.complete(null),
    L: first.error('too long'),
    N: first.error(
      'The model gave no answer: twice it sent only reasoning, odd, neither a message nor a tool call. Try again, or choose another model.',
    ),
  };

  describe('visibleOf', () => {
    it.each<[string, TurnStep, Partial<LoopState>, Partial<LoopState>, string]>([
      ['the diff, where it has changed            ', patched, { diff: '' }, { diff: 'd' }, '(D|)'],
      ['no diff, where it is the same             ', patched, { diff: 'd' }, { diff: 'd' }, '|'],
      ['nothing of the first empty answer         ', unanswered, {}, { isAskedAgain: true }, '|'],
      ['a failure of the second in a row          ', unanswered, { isAskedAgain: true }, {}, '(Nz|)'],
      ['that the conversation was shortened       ', { kind: 'compacted', past: [] }, {}, {}, '(C|)'],
      ['nothing of one that must be shortened     ', tooLong, {}, { compaction: 'due' }, '|'],
      ['a failure of one that was shortened before', tooLong, { compaction: 'done' }, {}, '(Lz|)'],
      ['no image                                  ', { kind: 'image', url: 'u' }, {}, {}, '|'],
      ['no unknown item                           ', { kind: 'unknown', type: 'odd' }, {}, {}, '|'],
      ['no answer of nothing                      ', { kind: 'nothing' }, {}, {}, '|'],
      ['the end                                   ', { kind: 'finished', message: 'ok' }, {}, {}, '(Z|)'],
      ['no end where input waits                  ', { kind: 'finished', message: 'ok' }, {}, { inputs: [input] }, '|'],
      ['an event                                  ', first.started, {}, {}, '(S|)'],
      ['a step of the history                     ', item, {}, {}, '(I|)'],
      ['a cost without sums                       ', out.t, {}, {}, '(t|)'],
      [
        'a cost with its sums                      ',
        out.t,
        {},
        { usage, history: { ...state.history, usage: total } },
        '(T|)',
      ],
    ])('emits %s', (_, step, before, after, expected) =>
      marbles(({ expectObservable }) => {
        const change = { step, before: { ...state, ...before }, state: { ...state, ...after } };
        expectObservable(from(visibleOf(begun, change))).toBe(expected, out);
      })(),
    );
  });
});
