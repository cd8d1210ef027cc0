import type { ClientEvent } from '../../../src/io/mcpClient/dialMcp';
import { untilQuiet } from '../../../src/io/mcpClient/dialMcp';
import { marbles } from '../../support/marbles';

const events: Record<string, ClientEvent> = {
  r: { kind: 'line', line: 'response' },
  n: { kind: 'line', line: 'notification' },
  p: { kind: 'posted' },
};

describe('untilQuiet', () => {
  it.each([
    ['a quarter of a second after all responses have ended', '--|', '--r-p---', '--r- 250ms |'],
    ['that long, whatever the server sends in it', '          --|', '--r-p-n-', '--r---n 247ms |'],
    ['two seconds after the last event of a response that goes on', '--|', '---r--n-', '---r--n 1999ms |'],
    ['two seconds after the last line, where nothing comes', '  --|', '--------', '-- 2s |'],
    ['not while the client goes on', '                          -----', '-r--n---', '-r--n---'],
    ['when the events do', '                                    --|', 'r--|', 'r--|'],
    ['with the error of the events', '                          --|', 'r--#', 'r--#'],
    ['with what comes last in the same instant', '              --|', '-(rp)', '-r 249ms |'],
  ])('completes %s', (_, lines, input, expected) =>
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot(input, events).pipe(untilQuiet(cold(lines)))).toBe(expected, events);
    })(),
  );

  it(
    'lets both go when nobody listens',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const [event$, line$] = [hot('-r----', events), cold('-----')];
      expectObservable(event$.pipe(untilQuiet(line$)), '--!').toBe('-r', events);
      expectSubscriptions(event$.subscriptions).toBe('^-!');
      expectSubscriptions(line$.subscriptions).toBe('^-!');
    }),
  );
});
