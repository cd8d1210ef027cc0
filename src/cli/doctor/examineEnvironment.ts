/** Whether threads can work in the environment that is configured. */
import { defer, map, type Observable, of } from 'rxjs';
import { examineElsewhere } from '../../agent/elsewhere/examineElsewhere';
import { configureOf, type Wiring } from '../../agent/wiring/wiring';
import type { Result } from './finding';

/** Connects to an executor, and starts a command that does nothing in its sandbox. */
export const examineEnvironment = (wiring: Wiring): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    const config = configureOf(wiring)({});
    if (config.environmentId === 'local') return of({ text: 'threads work on this machine' });
    return examineElsewhere(wiring, config).pipe(
      map((found) => ({ ...found, ...(found.remedy !== undefined && NO_SANDBOX_THERE), ms: Date.now() - startMs })),
    );
  });

const NO_SANDBOX_THERE = { state: 'warning' } as const;
