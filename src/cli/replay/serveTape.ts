/** `codex-rx replay TAPE`: serves a tape on stdin and stdout. */
import { share } from 'rxjs';
import { openSteps, startServing, type TapeChoice } from '../../app/tape';
import { failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import type { Replay } from './options';

const remark = remarkAs('replay');

/** Serves the tape to the client on stdin, and ends with it; exit code 1 where a request was not recorded. */
export const serveTape = ({ speed, loop, lenient, step, 'step-fd': fd }: Replay, choice: TapeChoice): void => {
  const { stdin, stdout } = process;
  const step$ = step || fd !== undefined ? openSteps(fd) : undefined;
  startServing({ stdin, stdout, stop$: stopSignal().pipe(share()), step$, remark }, choice, {
    speed: speed === undefined || speed === 'max' ? 'max' : Number(speed),
    repeat: loop ? 'again' : 'once',
    match: lenient ? 'nearest' : 'strict',
  })
    .subscribe({
      next: ({ kind, text }) => {
        remark(text);
        if (kind === 'unrecorded') process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(() => process.exit());
};
