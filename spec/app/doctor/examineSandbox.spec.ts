import { examineSandbox } from '../../../src/app/doctor/examineSandbox';
import type { SessionSandbox } from '../../../src/executor';
import { marbles } from '../../support/marbles';

type Ready = SessionSandbox['ready$'];

const readiness = { r: { kind: 'ready' }, m: { kind: 'missing', remedy: 'apt install bubblewrap' } };
const results = {
  W: { text: 'works' },
  N: { state: 'warning', text: 'none works, so commands are asked about', remedy: 'apt install bubblewrap' },
};

describe('examineSandbox', () => {
  it.each([
    ['names a sandbox that works', '--(r|)', '--(W|)'],
    ['names what helps where none works', '--(m|)', '--(N|)'],
    ['takes the last', 'm-r-|', '----(W|)'],
    ['passes an error on', '--#', '--#'],
  ])('%s', (_, ready, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(examineSandbox({ ready$: cold(ready, readiness) as Ready })).toBe(expected, results);
    })(),
  );

  it(
    'errors after ten seconds without an answer',
    marbles(({ cold, expectObservable }) => {
      const late = expect.objectContaining({ name: 'TimeoutError' });
      expectObservable(examineSandbox({ ready$: cold('-') as Ready })).toBe('10s #', {}, late);
    }),
  );
});
