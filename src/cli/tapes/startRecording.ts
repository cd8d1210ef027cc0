/** Records a server that runs as a child process, between the client on the standard streams and the file of a tape. */
import { spawn } from 'node:child_process';
import { concat, defer, EMPTY, type Observable, tap } from 'rxjs';
import { openTapeFile, type TapeFileDeps } from '../../app/tapes/openTapeFile';
import { makeNamedFolder, removeNamed } from '../../io/disk/namedHere';
import { type RelayDeps, relayChild } from '../../io/processes/relayChild';
import { watchGroups } from '../../io/processes/watchGroups';
import { closedBy } from '../../streams/ends';
import { withResource } from '../../streams/withResource';
import { type CountedDeps, countedTape, type Target } from '../../tapes/files/countedTape';
import { type Ending, recordSession } from '../../tapes/sessions/recordSession';

/** `remark` shows a text to the user; `folder` is made where it is missing. */
export type RecordingDeps = Omit<RelayDeps, 'spawn' | 'watch'> & CountedDeps & TapeFileDeps & { folder?: string };

/**
 * Runs a command between the client on the standard streams and a tape. Emits how the command ended; completes when all output is written
 * and the tape is on the disk; a new tape of a command that could not be started is removed. Errors when the tape cannot be opened; then
 * nothing was started.
 */
export const startRecording = (deps: RecordingDeps, path: string, command: readonly string[]): Observable<Ending> =>
  defer(() => {
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    return openTapeFile(deps, path).pipe(
      withResource((file) => {
        if (file.path !== path) deps.remark(`another recorder writes to ${path}`);
        return recorded(deps, { path: file.path, file }, command);
      }),
    );
  });

const recorded = (deps: RecordingDeps, target: Target, command: readonly string[]): Observable<Ending> => {
  let isUnused = isNew(target);
  const { tape, close } = countedTape(deps, target, { command });
  deps.remark(`recording to ${target.path}`);
  return relayChild({ ...deps, spawn, watch: watchGroups({ spawn }) }, command).pipe(
    recordSession(tape),
    tap((event) => {
      if (event.kind === 'failed') deps.remark(`the server could not be started: ${event.reason}`);
      else isUnused = false;
    }),
    closedBy(() =>
      concat(
        close(),
        defer(() => (isUnused ? discard(deps, target) : EMPTY)),
      ),
    ),
  );
};

const isNew = ({ file }: Target): boolean => file.isFile && file.size() === 0;

const discard = ({ remark }: RecordingDeps, { path }: Target): Observable<never> => {
  removeNamed(path);
  remark(`${path} is removed, as nothing was recorded`);
  return EMPTY;
};
