/** `codex-rx replay TAPE`: serves a tape on stdin and stdout. */
import { share } from 'rxjs';
import { openSteps, startServing, type TapeChoice } from '../../app/tape';
import { readFaults } from '../../replay';
import { failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import type { Replay } from './options';

const remark = remarkAs('replay');

/** Serves the tape to the client on stdin, and ends with it; exit code 1 where a request was not recorded, and at a crash. */
export const serveTape = (given: Replay, choice: TapeChoice): void => {
  const { stdin, stdout } = process;
  const { speed, loop, lenient, step, 'step-fd': fd, seed } = given;
  const faults = readFaults(given.faults ?? '');
  const step$ = step || fd !== undefined ? openSteps(fd) : undefined;
  startServing(
    { stdin, stdout, stop$: stopSignal().pipe(share()), step$, remark, faults: faults && { faults, seed } },
    choice,
    {
      speed: speed === undefined || speed === 'max' ? 'max' : Number(speed),
      repeat: loop ? 'again' : 'once',
      match: lenient ? 'nearest' : 'strict',
    },
  )
    .subscribe({
      next: ({ kind, text }) => {
        remark(text);
        if (kind === 'unrecorded' || kind === 'crash') process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(() => process.exit());
};
