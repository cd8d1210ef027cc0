/** `codex-rx replay TAPE -- COMMAND`: verifies a server against a tape. */
import { basename } from 'node:path';
import { map, takeUntil } from 'rxjs';
import { version } from '../../../package.json';
import { startVerifying, type TapeChoice } from '../../app/tape';
import { toReport } from '../../diff';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import type { Replay } from './options';

/** Plays the client of the tape against the command, writes the report to stdout, and ends; exit code 1 where something differs. */
export const verifyTape = (given: Replay, choice: TapeChoice): void => {
  const { stdin, stdout, env } = process;
  const { command, report, timeout, update } = given;
  process.exitCode = exitCode.failed; // until the comparison has passed
  startVerifying({ stdin, remark: remarkAs('replay'), env, cwd: process.cwd(), version, started: new Date() }, choice, {
    command,
    words: given,
    limitMs: timeout * 1000,
    write: update ? 'tape' : 'nothing',
  })
    .pipe(
      map((results) => ({
        text: toReport(report, results, basename(choice.path)),
        differs: results.some(({ difference }) => difference),
      })),
      takeUntil(stopSignal()),
    )
    .subscribe({
      next: ({ text, differs }) => {
        stdout.write(text);
        process.exitCode = !update && differs ? exitCode.failed : exitCode.ok;
      },
      error: failAs('replay'),
    })
    .add(exitWhenWritten('replay'));
};
