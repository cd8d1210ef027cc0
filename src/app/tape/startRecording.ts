/** Owns wiring a recording to this machine: the server as a child process, the tape as a file. */
import { spawn } from 'node:child_process';
import { defer, finalize, type Observable, tap } from 'rxjs';
import { redactor, TAPE_VERSION, type Tape } from '../../tape';
import { type RelayDeps, relayChild, watchGroups } from '../../transport';
import { openTape, type TapeDeps } from './openTape';
import { type Ending, recordSession } from './recordSession';

/** `tell` says a word to the person who looks on; `started` is the time of day. `hide` lists what is secret, for a redacted tape. */
export type RecordingDeps = Omit<RelayDeps, 'spawn' | 'watch'> &
  Pick<TapeDeps, 'now' | 'tell'> & { started: Date; version: string; hide?: readonly string[] };

/**
 * Runs a command between the client on the standard streams and a tape. Emits how it went; completes when all of it
 * has left and is on the disk. Errors when the tape cannot be opened; then nothing was started.
 */
export const startRecording = (deps: RecordingDeps, path: string, command: readonly string[]): Observable<Ending> =>
  defer(() => {
    const { tape, close } = openCounted(deps, path, command);
    deps.tell(`recording to ${path}`);
    return relayChild({ ...deps, spawn, watch: watchGroups({ spawn }) }, command).pipe(
      recordSession(tape),
      finalize(close),
    );
  }).pipe(tap((event) => event.kind === 'failed' && deps.tell(`could not start ${command[0]}: ${event.reason}`)));

/** A tape that tells at its end what is on it. */
const openCounted = (deps: RecordingDeps, path: string, command: readonly string[]) => {
  const { started, version, now, tell, hide } = deps;
  const meta = { version: TAPE_VERSION, recorder: `codex-rx ${version}`, started: started.toISOString(), command };
  const clean = hide && redactor({ secrets: hide, onRemoved: () => {} });
  const open = openTape(path, clean ? { ...clean.meta(meta), redacted: true } : meta, {
    now,
    tell,
    soon: setImmediate,
  });
  const startMs = now();
  const lines = { in: 0, out: 0, err: 0 };
  const tape: Tape = (said) => {
    if (said.dir in lines) lines[said.dir as keyof typeof lines] += 1;
    open.tape(clean ? clean.line(said) : said);
  };
  const close = () => {
    const { bytes, trouble } = open.close();
    const counts = `${lines.in} lines from the client, ${lines.out} from the server, ${lines.err} of stderr`;
    const incomplete = trouble === undefined ? '' : `; INCOMPLETE: ${trouble}`;
    tell(`${path}: ${counts}; ${bytes} bytes, ${Math.round(now() - startMs)} ms${incomplete}`);
  };
  return { tape, close };
};
