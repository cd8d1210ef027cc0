import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { localBackend, readRetained } from '../../../src/executor/local/localBackend';
import { watchGroups } from '../../../src/io/processes/watchGroups';
import type { OutputPage, ProcessSpec } from '../../../src/protocol/exec/process';
import { noBackpressure } from '../../../src/streams/backpressure';
import { backendContract } from '../../contract/backend';
import { marbles } from '../../support/marbles';
import { gone, isAlive, until } from '../../support/processes';

describe('localBackend', () => {
  backendContract({
    open: (backpressure) =>
      localBackend({ spawn, backpressure, signals: constants.signals, watch: watchGroups({ spawn }) }),
  });
});

const page = (own: Partial<OutputPage>): OutputPage => ({
  chunks: [],
  nextSeq: 3,
  exited: false,
  exitCode: null,
  closed: false,
  failure: null,
  ...own,
});
const UPDATES = {
  output: page({ chunks: [{ seq: 3, stream: 'stdout', chunk: new Uint8Array(1) }] }),
  exit: page({ nextSeq: 4, exited: true, exitCode: 0 }),
  close: page({ closed: true }),
};
const NONE = page({});
const from = { afterSeq: 2, waitMs: 5 };

/** Pages as they come: one per look. */
const pages = (...list: OutputPage[]) => {
  let look = 0;
  return () => list[Math.min(look++, list.length - 1)] as OutputPage;
};

describe('readRetained', () => {
  it.each(Object.values(UPDATES))('answers at once what is new %#', (update) => {
    marbles(({ hot, expectObservable }) => {
      const change$ = hot('---');
      expectObservable(readRetained({ page: pages(update), change$ })(from)).toBe('(P|)', { P: update });
    })();
  });

  it(
    'answers at once when it is not to wait',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const change$ = hot('---');
      expectObservable(readRetained({ page: pages(NONE), change$ })({ ...from, waitMs: 0 })).toBe('(P|)', { P: NONE });
      expectSubscriptions(change$.subscriptions).toBe([]);
    }),
  );

  it(
    'waits for the first change that is new',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const change$ = hot('-a-b----');
      const expected = '   ---(P|)';
      const sub = '        ^--!';
      expectObservable(readRetained({ page: pages(NONE, NONE, UPDATES.exit), change$ })(from)).toBe(expected, {
        P: UPDATES.exit,
      });
      expectSubscriptions(change$.subscriptions).toBe(sub);
    }),
  );

  it(
    'answers what there is when its time is over, or when no more changes come',
    marbles(({ hot, expectObservable }) => {
      const seen = page({ nextSeq: 3, exited: true, exitCode: 1 });
      expectObservable(readRetained({ page: pages(NONE, seen), change$: hot('-------') })(from)).toBe('-----(P|)', {
        P: seen,
      });
      expectObservable(readRetained({ page: pages(NONE, seen), change$: hot('--|') })(from)).toBe('--(P|)', {
        P: seen,
      });
    }),
  );
});

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
