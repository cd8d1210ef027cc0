/** Tries out the environment of threads. */
import { concatMap, map, type Observable, take, timeout } from 'rxjs';
import type { Config } from '../../config';
import type { Wiring } from '../engines/wiring';
import { placeElsewhere } from './placeElsewhere';
import { toolsElsewhere } from './toolsElsewhere';

const LIMIT_MS = 30_000;

/** What was found; `remedy` where no sandbox can be made for threads that may write. */
export type Examined = { text: string; remedy?: string };

/** Emits once. Errors where threads cannot work there. */
export const examineElsewhere = (wiring: Wiring, config: Config): Observable<Examined> => {
  const toDeps = toolsElsewhere(wiring);
  return placeElsewhere(wiring)({ ...config, sandboxMode: 'workspace-write' }).pipe(
    concatMap((place) => {
      const { member, sight } = place;
      const where = member === undefined ? config.environmentId : `${config.environmentId}, on ${member}`;
      const text = [`${where}: threads work in ${sight.cwd}`, ...Object.values(sight.facts)].join(', ');
      const { ready$ } = toDeps(place).openSandbox(place.config);
      return ready$.pipe(
        take(1),
        map((ready) =>
          ready.kind === 'ready' ? { text: `${text}; its sandbox works` } : { text, remedy: ready.remedy },
        ),
      );
    }),
    timeout(LIMIT_MS),
  );
};
