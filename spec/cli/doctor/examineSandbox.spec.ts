import { examineSandbox } from '../../../src/cli/doctor/checkMachine';
import type { Backend } from '../../../src/executor/backend';
import type { SessionSandbox } from '../../../src/executor/sandbox/openSandboxes';
import { marbles } from '../../support/marbles';

type Ready = SessionSandbox['ready$'];

const readiness = { r: { kind: 'ready' }, m: { kind: 'missing', remedy: 'apt install bubblewrap' } };
const events = {
  s: { kind: 'started' },
  e: { kind: 'output', seq: 1, stream: 'stderr', chunk: Buffer.from('line 5: /held: Permission denied\nmore\n') },
  x: { kind: 'exited', seq: 2, exitCode: 0 },
  y: { kind: 'exited', seq: 2, exitCode: 1 },
  z: { kind: 'closed', seq: 3 },
  f: { kind: 'failed', seq: 1, reason: 'the sandbox could not be made: /w has become a link' },
};
const warning = (text: string, remedy: string) => ({ state: 'warning', text, remedy });
const results = {
  W: { text: 'works' },
  N: warning('none works, so commands are asked about', 'apt install bubblewrap'),
  P: warning('no command can run in it', 'line 5: /held: Permission denied'),
  C: warning('no command can run in it', 'it ended with exit code 1'),
  F: warning('no command can run in it', 'the sandbox could not be made: /w has become a link'),
};

describe('examineSandbox', () => {
  it.each([
    ['works if a command in it does', '--(r|)', 's-xz|', '------(W|)'],
    ['shows what a command printed that failed', '--(r|)', 's-e(yz|)', '-----(P|)'],
    ['shows the exit code of a command that failed in silence', '--(r|)', 's-(yz|)', '----(C|)'],
    ['shows why none could be made for a command', '--(r|)', '(f|)', '--(F|)'],
    ['names what helps if none works, and runs nothing', '--(m|)', '#', '--(N|)'],
    ['takes the last state', 'm-r-|', '(xz|)', '----(W|)'],
    ['passes an error on', '--#', '#', '--#'],
  ])('%s', (_, ready, run, expected) =>
    marbles(({ cold, expectObservable }) => {
      const asSet = { start: () => cold(run, events) } as unknown as Backend;
      const sandbox = { ready$: cold(ready, readiness) as Ready, asSet, cwd: '/w' };
      expectObservable(examineSandbox(sandbox)).toBe(expected, results);
    })(),
  );

  it(
    'errors after ten seconds without an answer',
    marbles(({ cold, expectObservable }) => {
      const late = expect.objectContaining({ name: 'TimeoutError' });
      const asSet = { start: () => cold('-') } as unknown as Backend;
      const ready$ = cold('(r|)', readiness) as Ready;
      expectObservable(examineSandbox({ ready$, asSet, cwd: '/w' })).toBe('10s #', {}, late);
    }),
  );
});
