import { latestLists } from '../../../src/agent/toolServers/listTools';
import { marbles } from '../../support/marbles';

describe('latestLists', () => {
  it.each([
    ['lists at once, and for each change', '-----c----c---', '--L----L----L-', ['^--!', '-----^--!', '----------^--!']],
    [
      'lists once more for all changes of one list',
      '-----cccc-----',
      '--L----L--L---',
      ['^--!', '-----^--!', '--------^--!'],
    ],
    ['lists once more for a change of the first list', '-c------------', '--L--L--------', ['^--!', '---^--!']],
    ['completes with the changes, once the list is done', '-----c|', '--L----L|', ['^--!', '-----^--!']],
  ])('%s', (_, changes, expected, subscriptions) =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const list$ = cold('--L|');
      expectObservable(hot(changes).pipe(latestLists(list$))).toBe(expected);
      expectSubscriptions(list$.subscriptions).toBe(subscriptions);
    })(),
  );
});
