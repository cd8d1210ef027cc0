import { startedWithin } from '../../../src/agent/toolServers/openToolServer';
import { NotStarted } from '../../../src/agent/toolServers/toolServer';
import { marbles } from '../../support/marbles';

const quoted = () => '';
const late = new NotStarted('it did not answer within 0.005 s');
const broken = new Error('it ended.');

describe('startedWithin', () => {
  it.each([
    ['a server in time', '  --S---|', '--S---|', undefined],
    ['one that changes', '  --S-------S-|', '--S-------S-|', undefined],
    ['one that never is', ' -', '-----#', late],
    ['one that is late', '  -------S', '-----#', late],
    ['one that breaks', '   --#', '--#', new NotStarted('it ended.')],
    ['one that breaks later', '--S-------#', '--S-------#', broken],
    ['no server', '--|', '-----#', late],
  ])('knows %s', (_, source, expected, error) =>
    marbles(({ hot, expectObservable }) => {
      const server$ = hot(source, undefined, broken).pipe(startedWithin({ ms: 5, quoted }));
      expectObservable(server$).toBe(expected, undefined, error);
    })(),
  );

  it(
    'adds what the server wrote to a reason, and stops with its reader',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const within = startedWithin<string>({ ms: 5, quoted: () => '. It wrote "x"' });
      expectObservable(hot<string>('--#', {}, broken).pipe(within)).toBe(
        '--#',
        {},
        new NotStarted('it ended. It wrote "x"'),
      );
      const silent$ = hot<string>('-');
      expectObservable(silent$.pipe(within), '---!').toBe('-');
      expectSubscriptions(silent$.subscriptions).toBe('^--!');
    }),
  );
});
