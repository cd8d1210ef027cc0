/** `codex-rx replay TAPE -- COMMAND`: verifies a server against a tape. */
import { takeUntil } from 'rxjs';
import { version } from '../../../package.json';
import { type ComparedSession, isSame, toReports } from '../../tapes/diff/toReport';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import { tapeDeps } from '../tapeDeps';
import type { TapeChoice } from '../tapes/startServing';
import { startVerifying } from '../tapes/startVerifying';
import { columnsOf } from '../terminal';
import type { Replay } from './options';

/**
 * Plays the client of each session against the command, writes the report to stdout, and ends: exit code 1 where something differs, 2 where a
 * tape of a folder cannot be used.
 */
export const verifyTape = (given: Replay, choice: TapeChoice): void => {
  const { stdout, env } = process;
  const { command, report, timeout, update, speed } = given;
  process.exitCode = exitCode.failed; // until the comparison has passed
  startVerifying({ ...tapeDeps('replay'), env, cwd: process.cwd(), version, started: new Date() }, choice, {
    command,
    words: given,
    limitMs: timeout * 1000,
    pace: toPace(speed),
    write: update ? 'tape' : 'nothing',
  })
    .pipe(takeUntil(stopSignal()))
    .subscribe({
      next: (sessions) => {
        stdout.write(toReports({ format: report, columns: columnsOf(stdout) }, sessions));
        process.exitCode = codeOf(sessions, update ? 'tape' : 'nothing');
      },
      error: failAs('replay'),
    })
    .add(exitWhenWritten('replay'));
};

const toPace = (speed: string | undefined): Pace => {
  if (speed === undefined) return 'needed';
  return speed === 'max' ? 'max' : Number(speed);
};

const codeOf = (sessions: readonly ComparedSession[], write: 'tape' | 'nothing'): number => {
  if (sessions.some(({ problem }) => problem !== undefined)) return exitCode.unusable;
  return write === 'nothing' && !sessions.every(isSame) ? exitCode.failed : exitCode.ok;
};
