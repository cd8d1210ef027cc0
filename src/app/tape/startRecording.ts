/** Records a server that runs as a child process, between the client on the standard streams and the file of a tape. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { defer, finalize, type Observable, tap } from 'rxjs';
import { type RelayDeps, relayChild, watchGroups } from '../../transport';
import { makeNamedFolder, removeNamed } from '../files';
import { type CountedDeps, countedTape } from './countedTape';
import { type Ending, recordSession } from './recordSession';

/** `remark` shows a text to the user; `folder` is made where it is missing. */
export type RecordingDeps = Omit<RelayDeps, 'spawn' | 'watch'> & CountedDeps & { folder?: string };

/**
 * Runs a command between the client on the standard streams and a tape. Emits how the command ended; completes when all output
 * is written and the tape is on the disk; a new tape of a command that could not be started is removed. Errors when the tape cannot be opened; then nothing was started.
 */
export const startRecording = (deps: RecordingDeps, path: string, command: readonly string[]): Observable<Ending> =>
  defer(() => {
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    let isEmpty = !existsSync(path); // a tape that is new, and of a server that was not started
    const { tape, close } = countedTape(deps, path, { command });
    deps.remark(`recording to ${path}`);
    return relayChild({ ...deps, spawn, watch: watchGroups({ spawn }) }, command).pipe(
      recordSession(tape),
      tap((event) => {
        if (event.kind === 'failed') deps.remark(`the server could not be started: ${event.reason}`);
        else isEmpty = false;
      }),
      finalize(() => {
        close();
        if (isEmpty) discard(deps, path);
      }),
    );
  });

const discard = ({ remark }: RecordingDeps, path: string): void => {
  removeNamed(path);
  remark(`${path} is removed, as nothing was recorded`);
};
