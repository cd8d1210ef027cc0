/** Records a server that runs as a child process, between the client on the standard streams and the file of a tape. */
import { spawn } from 'node:child_process';
import { defer, finalize, type Observable, tap } from 'rxjs';
import { redactor, TAPE_VERSION, type Tape } from '../../tape';
import { type RelayDeps, relayChild, watchGroups } from '../../transport';
import { makeNamedFolder } from '../files';
import { openTape, type TapeDeps } from './openTape';
import { type Ending, recordSession } from './recordSession';

/**
 * `remark` shows a text to the user; `started` is the date. `hide` lists secret values, for a tape that is redacted; `folder` is made
 * where it is missing.
 */
export type RecordingDeps = Omit<RelayDeps, 'spawn' | 'watch'> &
  Pick<TapeDeps, 'now' | 'remark'> & { started: Date; version: string; hide?: readonly string[]; folder?: string };

/**
 * Runs a command between the client on the standard streams and a tape. Emits how the command ended; completes when all output
 * is written and the tape is on the disk. Errors when the tape cannot be opened; then nothing was started.
 */
export const startRecording = (deps: RecordingDeps, path: string, command: readonly string[]): Observable<Ending> =>
  defer(() => {
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    const { tape, close } = openCounted(deps, path, command);
    deps.remark(`recording to ${path}`);
    return relayChild({ ...deps, spawn, watch: watchGroups({ spawn }) }, command).pipe(
      recordSession(tape),
      finalize(close),
    );
  }).pipe(tap((event) => event.kind === 'failed' && deps.remark(`could not start ${command[0]}: ${event.reason}`)));

/** A tape that counts its lines, and remarks on them at its end. */
const openCounted = (deps: RecordingDeps, path: string, command: readonly string[]) => {
  const { started, version, now, remark, hide } = deps;
  const meta = { version: TAPE_VERSION, recorder: `codex-rx ${version}`, started: started.toISOString(), command };
  const redact = hide && redactor({ secrets: hide, onRemoved: () => {} });
  const open = openTape(path, redact ? { ...redact.meta(meta), redacted: true } : meta, {
    now,
    remark,
    soon: setImmediate,
  });
  const startMs = now();
  const counts = new Map<string, number>();
  const tape: Tape = (recorded) => {
    counts.set(recorded.dir, (counts.get(recorded.dir) ?? 0) + 1);
    open.tape(redact ? redact.line(recorded) : recorded);
  };
  const close = () => {
    const { bytes, trouble } = open.close();
    const incomplete = trouble === undefined ? '' : `; INCOMPLETE: ${trouble}`;
    remark(`${path}: ${toCountText(counts)}; ${bytes} bytes, ${Math.round(now() - startMs)} ms${incomplete}`);
  };
  return { tape, close };
};

const toCountText = (counts: ReadonlyMap<string, number>): string => {
  const countOf = (dir: string): number => counts.get(dir) ?? 0;
  return `${countOf('in')} lines from the client, ${countOf('out')} from the server, ${countOf('err')} of stderr`;
};
