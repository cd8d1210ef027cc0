import type { Started } from '../../../src/executor/backend';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { HostError } from '../../../src/protocol/methods/host';
import { runToEnd } from '../../../src/server/host/commands';
import { marbles } from '../../support/marbles';

const events: Record<string, Started | ProcessEvent> = {
  s: { kind: 'started', process: {} as Started['process'] },
  o: { kind: 'output', seq: 1, stream: 'stdout', chunk: Buffer.from('out') },
  e: { kind: 'output', seq: 2, stream: 'stderr', chunk: Buffer.from('err') },
  x: { kind: 'exited', seq: 3, exitCode: 3 },
  z: { kind: 'closed', seq: 4 },
  f: { kind: 'failed', seq: 1, reason: 'no such program' },
};
const spec = { argv: ['a'], cwd: '/', env: {} };
const limits = { timeoutMs: 10, maxBytes: 6 };

describe('runToEnd', () => {
  it(
    'emits how the process ended, with its output',
    marbles(({ cold, expectObservable }) => {
      const process$ = cold('so-e-x-z--', events);
      const expected = '     -------(E|)';
      const end = { exitCode: 3, stdout: 'out', stderr: 'err', isCut: false };
      expectObservable(runToEnd({ start: () => process$ }, limits)(spec)).toBe(expected, { E: end });
    }),
  );

  it(
    'drops output beyond the limit, and marks the end as cut',
    marbles(({ cold, expectObservable }) => {
      const process$ = cold('sooox(z|)', events);
      const end = { exitCode: 3, stdout: 'outout', stderr: '', isCut: true };
      expectObservable(runToEnd({ start: () => process$ }, limits)(spec)).toBe('-----(E|)', { E: end });
    }),
  );

  it(
    'errors where the process cannot be started, or takes too long, and ends it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failed$ = cold('-f', events);
      expectObservable(runToEnd({ start: () => failed$ }, limits)(spec)).toBe(
        '-#',
        {},
        new HostError('no such program'),
      );
      const late$ = cold('  s-o-', events);
      const late = new HostError('it did not end within 0.01 s');
      expectObservable(runToEnd({ start: () => late$ }, limits)(spec)).toBe('10ms #', {}, late);
      expectSubscriptions(late$.subscriptions).toBe('^ 9ms !');
    }),
  );
});
