import { from } from 'rxjs';
import type { TurnStep } from '../../../src/agent/thread/steps';
import { initialState, type LoopState, visibleOf } from '../../../src/agent/turn/loopState';
import type { TokenUsage } from '../../../src/protocol/model/events';
import { marbles } from '../../support/marbles';
import { messageOf } from '../../support/models';
import { first, shell, turn, turnOf } from '../support';

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
