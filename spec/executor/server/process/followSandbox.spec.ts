import type { Started } from '../../../../src/executor/backend';
import { type EndInSandbox, followSandbox } from '../../../../src/executor/server/process/startProcess';
import type { ProcessEvent } from '../../../../src/protocol/exec/process';
import { marbles } from '../../../support/marbles';
import { closed, exited } from '../../events';
import { calm } from '../support';

const sandbox = { type: 'linuxSeccomp', network: 'closed' } as const;
const output = (stream: 'stdout' | 'stderr' | 'pty', text: string): ProcessEvent => ({
  kind: 'output',
  seq: 1,
  stream,
  chunk: Buffer.from(text),
});
const events: Record<string, Started | ProcessEvent> = {
  s: { kind: 'started', process: calm, sandbox },
  u: { kind: 'started', process: calm },
  o: output('stdout', 'out'),
  e: output('stderr', 'err'),
  p: output('pty', 'seen'),
  x: exited(2, 1),
  z: closed(3),
};
const followed = (denied: boolean) =>
  Object.fromEntries(
    Object.entries(events).map(([letter, event]) => [
      letter.toUpperCase(),
      expect.objectContaining({ event, sandbox: { ...sandbox, denied } }),
    ]),
  );

describe('followSandbox', () => {
  const follow = (life: string, isLikelyDenied: (end: EndInSandbox) => boolean) => {
    const ends: EndInSandbox[] = [];
    const shown: unknown[] = [];
    marbles(({ cold, flush }) => {
      const judge = (end: EndInSandbox) => {
        ends.push(end);
        return isLikelyDenied(end);
      };
      cold(life, events)
        .pipe(followSandbox({ isLikelyDenied: judge }))
        .subscribe((one) => shown.push(one));
      flush();
    })();
    return { ends, shown };
  };

  it('asks at the exit, by what the process wrote', () => {
    const { ends, shown } = follow('s-o-e-p-x-z|', () => true);
    expect(ends).toEqual([{ exitCode: 1, stdout: 'outseen', stderr: 'err', network: 'closed' }]);
    const [before, after] = [followed(false), followed(true)];
    expect(shown).toEqual([before.S, before.O, before.E, before.P, after.X, after.Z]);
  });

  it('asks nothing of a process without a sandbox', () => {
    const { ends, shown } = follow('u-o-x-z|', () => true);
    expect([ends, shown.some((one) => 'sandbox' in (one as object))]).toEqual([[], false]);
  });

  it('keeps the end of a long output', () => {
    const long = { ...events, o: output('stdout', 'a'.repeat(10_000)) };
    const ends: EndInSandbox[] = [];
    marbles(({ cold, flush }) => {
      const isLikelyDenied = (end: EndInSandbox) => ends.push(end) > 1;
      cold('s-o-p-x|', long).pipe(followSandbox({ isLikelyDenied })).subscribe();
      flush();
    })();
    expect([ends[0]?.stdout.length, ends[0]?.stdout.endsWith('aseen')]).toEqual([8_192, true]);
  });
});
