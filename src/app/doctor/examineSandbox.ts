/** Whether commands of a thread can run in a sandbox here. */
import { last, map, type Observable, timeout } from 'rxjs';
import type { SessionSandbox } from '../../executor';
import type { Result } from './finding';

const LIMIT_MS = 10_000;

/** Emits once its readiness is known. Errors after 10 s. */
export const examineSandbox = ({ ready$ }: Pick<SessionSandbox, 'ready$'>): Observable<Result> =>
  ready$.pipe(
    last(),
    timeout(LIMIT_MS),
    map((ready) =>
      ready.kind === 'ready'
        ? { text: 'works' }
        : { state: 'warning', text: 'none works, so commands are asked about', remedy: ready.remedy },
    ),
  );
