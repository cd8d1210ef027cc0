/** `codex-rx replay TAPE`: serves a tape on stdin and stdout, or over HTTP. */
import { randomUUID } from 'node:crypto';
import { type Observable, share } from 'rxjs';
import { readHttpAddress } from '../../io/mcpServer/httpAddress';
import { readFaults } from '../../tapes/replayServer/injectFaults';
import type { Remark } from '../../tapes/replayServer/playbackEvent';
import type { ReplayOptions } from '../../tapes/replayServer/replayServer';
import { openSteps } from '../../tapes/sessions/steps';
import { failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import { tapeDeps } from '../tapeDeps';
import { startServing, type TapeChoice } from '../tapes/startServing';
import { startServingHttp } from '../tapes/startServingHttp';
import type { Replay } from './options';

const remark = remarkAs('replay');

/** Serves the tape to the client on stdin, and ends with it; over HTTP until a signal comes. Exit code 1 where a request was not recorded, and at a crash. */
export const serveTape = (given: Replay, choice: TapeChoice): void => {
  served(given, choice)
    .subscribe({
      next: ({ kind, text }) => {
        remark(text);
        if (kind === 'unrecorded' || kind === 'crash') process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(() => process.exit());
};

const served = (given: Replay, choice: TapeChoice): Observable<Remark> => {
  const { stdout } = process;
  const { speed, loop, lenient, step, 'step-fd': fd, seed, http, 'allow-host': hosts } = given;
  const faults = readFaults(given.faults ?? '');
  const options: ReplayOptions = {
    speed: speed === undefined || speed === 'max' ? 'max' : Number(speed),
    repeat: loop ? 'again' : 'once',
    match: lenient ? 'nearest' : 'strict',
  };
  const deps = { ...tapeDeps('replay'), stop$: stopSignal().pipe(share()), remark, faults: faults && { faults, seed } };
  const address = readHttpAddress(http ?? '');
  if (address !== undefined)
    return startServingHttp({ ...deps, newKey: randomUUID }, choice, { ...options, address, hosts });
  const step$ = step || fd !== undefined ? openSteps(fd) : undefined;
  return startServing({ ...deps, stdout, step$ }, choice, options);
};
