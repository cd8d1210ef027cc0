/** Real processes: a peer is talked with over its own standard streams. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { concat, lastValueFrom, NEVER, of, take, toArray } from 'rxjs';
import { fromPeer } from '../../src/io/processes/fromChild';
import { noBackpressure } from '../../src/streams/backpressure';
import { gone } from '../support/processes';

const deps = { spawn, backpressure: noBackpressure, signals: constants.signals, watch: () => () => {} };
const spec = (code: string) => ({ argv: [process.execPath, '-e', code], cwd: process.cwd(), env: {} });
const ECHO = 'process.stdin.pipe(process.stdout)';

describe('fromPeer', () => {
  it('sends lines, emits what comes back, and ends the input when the lines end', async () => {
    const event$ = of('one', 'two').pipe(fromPeer(deps, spec(ECHO)), toArray());
    expect(await lastValueFrom(event$)).toEqual([
      { kind: 'output', stream: 'stdout', chunk: Buffer.from('one\ntwo\n') },
      { kind: 'exited', exitCode: 0 },
      { kind: 'closed' },
    ]);
  });

  it('keeps the input open while lines may come, and kills the process when nobody listens', async () => {
    const event$ = concat(of('one'), NEVER).pipe(fromPeer(deps, spec(`console.log(process.pid);${ECHO}`)), take(1));
    const first = await lastValueFrom(event$);
    const pid = Number(first.kind === 'output' && Buffer.from(first.chunk).toString().split('\n')[0]);
    expect(pid).toBeGreaterThan(1);
    await gone([pid]);
  });

  it('does not mind a process that reads nothing', async () => {
    const event$ = of('x'.repeat(1_000_000)).pipe(fromPeer(deps, spec('process.exit(3)')), toArray());
    expect(await lastValueFrom(event$)).toEqual([{ kind: 'exited', exitCode: 3 }, { kind: 'closed' }]);
  });

  it('reports why a program cannot be started', async () => {
    const event$ = of('one').pipe(fromPeer(deps, { ...spec(''), argv: ['no-such-program'] }), toArray());
    expect(await lastValueFrom(event$)).toEqual([{ kind: 'failed', reason: expect.stringContaining('No such file') }]);
  });
});
