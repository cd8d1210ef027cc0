/** Real processes that leave their process group. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { localBackend } from '../../../src/executor/local/localBackend';
import { watchGroups } from '../../../src/io/processes/watchGroups';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import { noBackpressure } from '../../../src/streams/backpressure';
import { gone, isAlive, until } from '../../support/processes';

const watch = watchGroups({ spawn });
const backend = localBackend({ spawn, backpressure: noBackpressure, signals: constants.signals, watch });

/** Runs a script that prints process ids; gives them, and what ends it. */
const start = async (script: string, count: number, own: Partial<ProcessSpec> = {}) => {
  let text = '';
  let isOver = false;
  const spec = { argv: ['/bin/sh', '-c', script], cwd: '/', env: { PATH: '/usr/bin:/bin' }, ...own };
  const running = backend.start(spec).subscribe({
    next: (event) => {
      if (event.kind === 'output') text += String(event.chunk);
    },
    complete: () => {
      isOver = true;
    },
  });
  await until(() => text.split('\n').length > count, 'the process ids');
  return { pids: text.trim().split('\n').map(Number), cancel: () => running.unsubscribe(), isOver: () => isOver };
};

const ALONE = '3>&1 >/dev/null 2>&1 </dev/null';
/** A process in a session of its own, and one whose parent has ended besides. */
const SESSION = `setsid sh -c 'echo $$ >&3; exec sleep 300 3>&-' ${ALONE} &`;
const ORPHAN = `(setsid sh -c 'echo $$ >&3; exec sleep 300 3>&-' ${ALONE} &);`;

describe('processes that leave their group', () => {
  it('end when the process is cancelled, also those whose parent has ended', async () => {
    const { pids, cancel } = await start(`${SESSION} ${ORPHAN} sleep 300`, 2);
    cancel();
    await gone(pids);
  });

  it('end with a process that has time to end by itself', async () => {
    const { pids, cancel } = await start(`${SESSION} ${ORPHAN} read line`, 2, {
      stdin: 'pipe',
      grace: { inputMs: 5_000, termMs: 5_000 },
    });
    cancel();
    await gone(pids);
  });

  it('live on when the process ends by itself', async () => {
    const { pids, isOver } = await start(SESSION, 1);
    await until(isOver, 'the end of the process');
    expect(pids.map(isAlive)).toEqual([true]);
    process.kill(pids[0] as number, 'SIGKILL');
  });
});
