/** Whether commands of a thread can run in a sandbox here. */
import { concatMap, last, map, type Observable, of, reduce, timeout } from 'rxjs';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { Result } from './finding';

/** @param cwd the folder of the thread */
export type ExamineSandboxDeps = Pick<SessionSandbox, 'ready$' | 'asSet'> & { cwd: string };

const LIMIT_MS = 10_000;

const NONE = 'none works, so commands are asked about';

/** Runs a command that does nothing, as a thread would run it. Emits once it has ended. Errors after 10 s. */
export const examineSandbox = ({ ready$, asSet, cwd }: ExamineSandboxDeps): Observable<Result> =>
  ready$.pipe(
    last(),
    concatMap((ready) => (ready.kind === 'ready' ? tried(asSet, cwd) : of(warning(NONE, ready.remedy)))),
    timeout(LIMIT_MS),
  );

const warning = (text: string, remedy: string): Result => ({ state: 'warning', text, remedy });

type Run = { exitCode?: number; printed: string };

const tried = (asSet: SessionSandbox['asSet'], cwd: string): Observable<Result> =>
  asSet.start({ argv: ['/bin/sh', '-c', ':'], cwd, env: {} }).pipe(
    reduce(
      (run: Run, event): Run => {
        if (event.kind === 'exited') return { ...run, exitCode: event.exitCode };
        if (event.kind === 'failed') return { ...run, printed: event.reason };
        return event.kind === 'output' ? { ...run, printed: run.printed + Buffer.from(event.chunk).toString() } : run;
      },
      { printed: '' },
    ),
    map(({ exitCode, printed }) =>
      exitCode === 0
        ? { text: 'works' }
        : warning('no command can run in it', printed.trim().split('\n')[0] || `it ended with exit code ${exitCode}`),
    ),
  );
