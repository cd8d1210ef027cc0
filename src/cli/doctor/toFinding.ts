/** A check as a finding. */
import { catchError, defer, map, type Observable, of } from 'rxjs';
import { ConfigError } from '../../settings/faults/configError';
import type { Finding, Result } from './finding';

/** Runs a check, and names its results. A check that throws or errors is a finding too. Never errors. */
export const toFinding = (check: string, run: () => Observable<Result>): Observable<Finding> =>
  defer(run).pipe(
    catchError((error: Error) =>
      of<Result>({
        state: 'fault',
        text: error.message,
        ...(error instanceof ConfigError && {
          remedy: 'fix what is named; then codex-rx config show prints what is read',
        }),
      }),
    ),
    map((result) => ({ check, state: 'ok', ...result })),
  );
