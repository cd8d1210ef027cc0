/** `codex-rx replay TAPE --times N -- COMMAND`: puts load on a server. */
import { basename } from 'node:path';
import { concatMap, map, type Observable, tap } from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, loadSessions } from '../../app/tapes/loadTape';
import { checkNew, toTapeText, writeNew } from '../../app/tapes/writeFiles';
import { memoryOf } from '../../io/processes/descendants';
import { counted } from '../../streams/text/reasons';
import { loadMasks } from '../../tapes/files/loadMasks';
import { type LoadReport, putLoad } from '../../tapes/load/putLoad';
import { toLoadReport } from '../../tapes/load/toLoadReport';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { interruption } from '../signals';
import { tapeDeps } from '../tapeCommand';
import { columnsOf, print, printOver } from '../terminal';
import type { Replay } from './options';
import type { TapeChoice } from './serveTape';
import { learnFrom, player, toPace } from './verifyTape';

/**
 * Plays the sessions of a tape so often, writes the report to stdout, and ends: exit code 1 if a run differs. After a signal the report is on what was
 * played by then.
 */
export const putLoadOn = (given: Replay, choice: TapeChoice, times: number): void => {
  const plan = { times, parallel: given.parallel };
  process.exitCode = exitCode.ok;
  startLoad(given, choice, plan)
    .pipe(
      tap({ next: () => printOver(''), error: () => printOver('') }),
      tap(({ first }) => {
        if (first && given.out !== undefined) writeNew(given.out, toTapeText(first.now));
      }),
    )
    .subscribe({
      next: (load) => {
        const look = { format: given.report, columns: columnsOf(process.stdout), name: basename(choice.path), plan };
        print(toLoadReport(look, load));
        if (load.first !== undefined && process.exitCode === exitCode.ok) process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(exitWhenWritten('replay'));
};

const startLoad = (
  given: Replay,
  choice: TapeChoice,
  plan: { times: number; parallel: number },
): Observable<LoadReport> => {
  const deps = tapeDeps('replay');
  const { command, timeout, speed, like, out } = given;
  const memory = memoryOfServers();
  const { env } = process;
  const own = { env, cwd: process.cwd(), version, started: new Date(), clock: performance, onStart: memory.add };
  const damaged = given['allow-damaged'] ? undefined : '--allow-damaged';
  return loadSessions(deps, { path: choice.path, number: choice.session }, damaged).pipe(
    tap(() => checkNew([out])),
    concatMap((sessions) => {
      const masks = loadMasks(deps.remark, choice.path, given);
      for (const { session } of sessions) checkWhole(session, choice.allow);
      const options = { command, masks, limitMs: timeout * 1_000, pace: toPace(speed) };
      return learnFrom(deps, like, { sessions, masks }).pipe(
        map((learned) => player({ ...deps, ...own }, options, learned)),
        map(withProgress(plan.times * sessions.length)),
        concatMap((play) => putLoad({ play, memory: memory.largest, stop$: interruption() }, sessions, plan)),
      );
    }),
  );
};

/** Shows in a terminal how far it is. */
const withProgress = (total: number) => {
  let done = 0;
  const count = (): void => {
    done += 1;
    printOver(`${done} of ${counted(total, 'run')}`);
  };
  return <S, R>(play: (session: S) => Observable<R>) =>
    (session: S): Observable<R> =>
      play(session).pipe(tap(count));
};

/** The processes of servers that were started, and how much memory the largest of those takes that still run. */
const memoryOfServers = () => {
  const running = new Set<number>();
  return {
    add: (pid: number): void => void running.add(pid),
    largest: (): number | undefined => {
      const sizes = [...running].flatMap((pid) => {
        const bytes = memoryOf(pid);
        if (bytes === undefined) running.delete(pid);
        return bytes ?? [];
      });
      return sizes.length === 0 ? undefined : Math.max(...sizes);
    },
  };
};
