/** Where threads are kept, and whether that can be reached. */
import { map, type Observable, of, timeout } from 'rxjs';
import { configDeps, type ThreadsWiring } from '../../agent/wiring/wiring';
import { openThreads } from '../../app/openThreads';
import { readThreadStore } from '../../settings/readThreadStore';
import type { Result } from './finding';

const LIMIT_MS = 10_000;

/** Emits once. Errors with ThreadError where a store beyond this machine cannot be used, and with ConfigError. */
export const examineThreads = (wiring: ThreadsWiring): Observable<Result> => {
  const address = readThreadStore(configDeps(wiring));
  if (address === undefined) return of({ text: `in ${wiring.processInfo.codexHome}/sessions` });
  const startMs = Date.now();
  return openThreads(wiring)
    .list({ limit: 1, archived: false })
    .pipe(
      timeout(LIMIT_MS),
      map(([newest]) => ({
        text: `in ${address}${newest === undefined ? ', which has none yet' : `, the newest ${newest.id}`}`,
        ms: Date.now() - startMs,
      })),
    );
};
