import { configFaults } from '../../../../src/agent/appServer/connection/openLink';
import { marbles } from '../../../support/marbles';

const warning = (summary: string, details?: string) => ({
  kind: 'notification' as const,
  method: 'configWarning',
  params: { summary, details },
});
const messages = {
  f: warning('Invalid configuration; using defaults.', '/c.toml:7:12: no longer supported.\nHow to fix: …'),
  s: warning('Invalid configuration; using defaults.'),
  w: warning('Unknown key.', '/c.toml:1:1: x'),
  n: { kind: 'notification' as const, method: 'warning', params: { summary: 'Invalid configuration' } },
};

describe('configFaults', () => {
  it.each([
    ['never', '--', '--'],
    ['is empty as its source is', '-|', '-|'],
    ['emits the place of a fault, and nothing else', '-wfn|', '--F-|'],
    ['emits the summary where there is no place', '-s|', '-S|'],
    ['errors with its source', '-f#', '-F#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const values = { F: '/c.toml:7:12: no longer supported.', S: 'Invalid configuration; using defaults.' };
      expectObservable(hot(source, messages).pipe(configFaults())).toBe(expected, values);
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-f-', messages);
      expectObservable(source$.pipe(configFaults()), '^!').toBe('-');
      expectSubscriptions(source$.subscriptions).toBe('^!');
    }),
  );
});
