import { uniqueCalls } from '../../../src/agent/sampling/sampleOnce';
import type { Whole } from '../../../src/agent/sampling/toSteps';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf } from '../../support/models';
import { custom, shell } from '../support';

const events: Record<string, Whole> = {
  a: item(shell('a', 'ls')) as Whole,
  b: item(shell('b', 'ls')) as Whole,
  c: item(custom('a', 'apply_patch', 'x')) as Whole,
  n: item(shell('a_2', 'ls')) as Whole,
  m: item(messageOf('assistant', 'ok')) as Whole,
  z: completed() as Whole,
  x: { kind: 'broken', error: new ModelError('broke', true) },
};
const doubled = {
  D: { kind: 'doubled', item: shell('a_2', 'ls'), call_id: 'a' },
  E: { kind: 'doubled', item: shell('a_3', 'ls'), call_id: 'a' },
  C: { kind: 'doubled', item: custom('a_2', 'apply_patch', 'x'), call_id: 'a' },
};

describe('uniqueCalls', () => {
  it.each([
    ['never', '--', '--'],
    ['is empty as its source is', '-|', '-|'],
    ['passes calls under different ids, messages and the end', '-a-m-b-z|', '-a-m-b-z|'],
    ['marks a call under an id that came before', '-a-b-a-x|', '-a-b-D-x|'],
    ['marks each of them, under an id that is not used', '-a-a-a|', '-a-D-E|'],
    ['takes no id that another call has', '-n-a-a|', '-n-a-E|'],
    ['marks a call of another form', '-a-c|', '-a-C|'],
    ['errors with its source', '-a#', '-a#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, events).pipe(uniqueCalls())).toBe(expected, { ...events, ...doubled });
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-a--', events);
      expectObservable(source$.pipe(uniqueCalls()), '^-!').toBe('-a', events);
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    }),
  );
});
