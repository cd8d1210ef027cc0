/** Whether a sandbox works here. */
import { last, map, type Observable, timeout } from 'rxjs';
import type { Backend } from '../../executor';
import { toolDeps } from '../engines/nativeTools';
import { configureOf, type Wiring } from '../engines/wiring';
import type { Result } from './finding';

const LIMIT_MS = 10_000;

/** Runs a command in it. Errors where that takes longer than 10 s. */
export const examineSandbox = (wiring: Wiring, backend: Backend): Observable<Result> =>
  toolDeps(wiring, backend)
    .openSandbox({ ...configureOf(wiring)({}), sandboxMode: 'workspace-write' })
    .ready$.pipe(
      last(),
      timeout(LIMIT_MS),
      map(
        (ready): Result =>
          ready.kind === 'ready'
            ? { text: 'works' }
            : { state: 'warning', text: 'none works, so commands are asked about', remedy: ready.remedy },
      ),
    );
