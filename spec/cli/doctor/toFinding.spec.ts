import { toFinding } from '../../../src/cli/doctor/examine';
import { ConfigError } from '../../../src/settings/faults/configError';
import { marbles } from '../../support/marbles';

const results = { a: { text: 'one' }, w: { state: 'warning', text: 'two', remedy: 'r', ms: 1 } } as const;
const findings = {
  A: { check: 'c', state: 'ok', text: 'one' },
  W: { check: 'c', state: 'warning', text: 'two', remedy: 'r', ms: 1 },
  F: { check: 'c', state: 'fault', text: 'broken' },
  C: { check: 'c', state: 'fault', text: 'bad key', remedy: expect.stringContaining('fix what is named') },
};

describe('toFinding', () => {
  it.each([
    ['names each result, which is ok unless it says otherwise', 'a-w|', 'A-W|', undefined],
    ['passes a check that finds nothing', '--|', '--|', undefined],
    ['makes an error a fault, behind what was found', 'a-#', 'A-(F|)', new Error('broken')],
    ['names the remedy where the configuration is at fault', '-#', '-(C|)', new ConfigError('bad key')],
  ])('%s', (_, result, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(toFinding('c', () => cold(result, results, error))).toBe(expected, findings);
    })(),
  );

  it(
    'makes what a check throws a fault',
    marbles(({ expectObservable }) => {
      const thrown$ = toFinding('c', () => {
        throw new Error('broken');
      });
      expectObservable(thrown$).toBe('(F|)', findings);
    }),
  );
});
