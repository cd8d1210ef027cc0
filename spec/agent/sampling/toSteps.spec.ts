import { type DoubledCall, toSteps, type Whole } from '../../../src/agent/sampling/toSteps';
import type { TurnStep } from '../../../src/agent/thread/steps';
import type { TokenUsage } from '../../../src/protocol/model/events';
import { ModelError } from '../../../src/protocol/model/model';
import { completed, item, messageOf } from '../../support/models';
import { first, shell, turnOf } from '../support';

const turn = turnOf(() => undefined as never);
const broken: Whole = { kind: 'broken', error: new ModelError('broke', true) };
const usage: TokenUsage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 3,
};
const doubled: DoubledCall = { kind: 'doubled', item: shell('a_2', 'ls'), call_id: 'a' };
const message = messageOf('assistant', 'ok');
const call = shell('a', 'ls');
const leftOut = 'The model sent an item of the type odd, which is not known here, or lacks a part. It was left out.';
const doubledText =
  'err: this answer has another call with the id a, which runs; this one does not. Use a new id for each call.';

describe('toSteps', () => {
  it.each<[string, Whole | DoubledCall, TurnStep[]]>([
    ['an answer that broke off', broken, [broken]],
    ['the end without a usage ', completed() as Whole, []],
    ['the end with one        ', completed('r', usage) as Whole, [{ kind: 'usage', usage }]],
    ['a message               ', item(message) as Whole, [first.message('ok'), { kind: 'item', item: message }]],
    ['a call                  ', item(call) as Whole, [{ kind: 'item', item: call }]],
    [
      'a call under a used id  ',
      doubled,
      [
        { kind: 'item', item: doubled.item },
        { kind: 'output', call: doubled.item, text: doubledText },
      ],
    ],
    [
      'a search that begins    ',
      { kind: 'search', callId: 's' },
      [first.event({ type: 'web_search_begin', call_id: 's' })],
    ],
    [
      'a search that is done   ',
      { kind: 'search', callId: 's', query: 'q' },
      [first.event({ type: 'web_search_end', call_id: 's', query: 'q' }), { kind: 'unknown', type: 'web_search_call' }],
    ],
    [
      'an unknown item         ',
      { kind: 'unknown', type: 'odd' },
      [first.event({ type: 'warning', message: leftOut, item_type: 'odd' }), { kind: 'unknown', type: 'odd' }],
    ],
    ['nothing                 ', { kind: 'nothing' }, [{ kind: 'nothing' }]],
  ])('of %s', (_, event, steps) => {
    expect(toSteps(turn, event)).toEqual(steps);
  });
});
