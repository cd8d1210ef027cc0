/** Tries out the environment of threads. */
import { concatMap, map, type Observable, of, reduce, take, timeout } from 'rxjs';
import type { Backend } from '../../executor/backend';
import type { Config } from '../../settings/config';
import { inputFirst } from '../../streams/time/limits';
import type { Wiring } from '../wiring/wiring';
import { placeElsewhere } from './placeElsewhere';
import { toolsElsewhere } from './toolsElsewhere';

const LIMIT_MS = 30_000;

/** What was found. */
type Examined = {
  text: string;
  /** Present if no sandbox can be made for threads that may write, or if nothing can be written in it. */
  remedy?: string;
};

/** Emits once. Errors if threads cannot work there. */
export const examineElsewhere = (wiring: Wiring, config: Config): Observable<Examined> => {
  const toDeps = toolsElsewhere(wiring);
  return placeElsewhere(wiring)({ ...config, sandboxMode: 'workspace-write' }).pipe(
    concatMap((place) => {
      const { member, sight } = place;
      const where = member === undefined ? config.environmentId : `${config.environmentId}, on ${member}`;
      const text = [`${where}: threads work in ${sight.cwd}`, ...Object.values(sight.facts)].join(', ');
      const { ready$, asSet } = toDeps(place).openSandbox(place.config);
      return ready$.pipe(
        take(1),
        concatMap((ready) =>
          ready.kind === 'ready'
            ? mayWriteIn(asSet, sight.cwd).pipe(map((may) => (may ? works(text) : writesNothing(text, sight.cwd))))
            : of({ text, remedy: ready.remedy }),
        ),
      );
    }),
    timeout(LIMIT_MS, inputFirst),
  );
};

const works = (text: string): Examined => ({ text: `${text}; its sandbox works` });

/** A sandbox can be made even if the ceiling of the executor leaves nothing to write: its commands see a read-only folder. */
const writesNothing = (text: string, cwd: string): Examined => ({
  text: `${text}; its sandbox works, but nothing can be written in ${cwd}`,
  remedy: `start its exec-server with --root ${cwd}, give its user the right to write there, or name a folder of its roots by cwd`,
});

/** Emits once whether a command may write in a folder; writes nothing. */
const mayWriteIn = (backend: Backend, folder: string): Observable<boolean> =>
  backend
    .start({ argv: ['/bin/sh', '-c', 'test -w "$1"', 'sh', folder], cwd: '/', env: {} })
    .pipe(reduce((may, event) => may && !(event.kind === 'exited' && event.exitCode !== 0), true));
