/** Opens a tape that counts its lines, and remarks on them at its end. */
import { ignoreElements, type Observable, tap } from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { atOnce, type Pausing, workInTurns } from '../../streams/pausing';
import { redactionBuffer } from '../format/redactionBuffer';
import { type Redactor, redactor } from '../format/redactTape';
import {
  type Entry,
  type LinesTape,
  type RecordedLine,
  type RecordedLines,
  TAPE_VERSION,
  type TapeFile,
} from '../format/tape';
import { toTexts } from '../format/tapeLines';
import { type OpenTape, openTape, type TapeDeps } from './openTape';

/** What a recorder needs. */
export type CountedDeps = Pick<TapeDeps, 'now' | 'remark'> & {
  /** The date of the session. */
  started: Date;
  /** Of this program. */
  version: string;
  /** Secret values; the tape is redacted if they are given. */
  hide?: readonly string[];
};

/** Where the tape is written. */
export type Target = {
  /** The name of the file for people. */
  path: string;
  file: TapeFile;
};

/** A tape that is recorded. */
export type CountedTape = {
  tape: LinesTape;
  /** Writes the rest at once. Completes when the tape is stored. */
  close: () => Observable<never>;
};

/**
 * Begins a session on the tape.
 * @param more members of its first line
 */
export const countedTape = (deps: CountedDeps, { path, file }: Target, more: JsonObject): CountedTape => {
  const { started, version, now, remark, hide } = deps;
  const meta = { version: TAPE_VERSION, recorder: `codex-rx ${version}`, started: started.toISOString(), ...more };
  const redact = hide && redactor({ secrets: hide, onRemoved: () => {} });
  const open = openTape(file, redact ? { ...redact.meta(meta), redacted: true } : meta, {
    now,
    remark,
    soon: setImmediate,
  });
  const redacted = redact && redactedTape({ open, redact, now });
  const startMs = now();
  const counts = new Map<string, number>();
  const tape: LinesTape = (recorded) => {
    const lines = 'lines' in recorded ? recorded.count : 1;
    counts.set(recorded.dir, (counts.get(recorded.dir) ?? 0) + lines);
    (redacted ?? open).tape(recorded);
  };
  const close = () => {
    redacted?.finish();
    const { bytes, trouble } = open.close();
    const text = `${path}: ${toCountText(counts)}; ${bytes} bytes, ${Math.round(now() - startMs)} ms`;
    return open.settled$.pipe(
      tap((late) => remark(`${text}${toIncomplete(trouble ?? late)}`)),
      ignoreElements(),
    );
  };
  return { tape, close };
};

type RedactedDeps = Pick<CountedDeps, 'now'> & { open: Pick<OpenTape, 'tape' | 'elapsedMs'>; redact: Redactor };

/** A tape that takes the secrets out of its lines; `finish` writes the lines that wait. */
const redactedTape = ({ open, redact, now }: RedactedDeps): { tape: LinesTape; finish: () => void } => {
  const buffer = redactionBuffer(redact);
  const queue = workInTurns({ now, soon: setImmediate });
  function* write(entries: Pausing<readonly Entry[]>): Pausing<void> {
    (yield* entries).forEach(open.tape);
  }
  const tape: LinesTape = (recorded) => {
    const isSoonDone = queue.isIdle() && sizeOf(recorded) <= MAX_AT_ONCE;
    if (isSoonDone && 'lines' in recorded && buffer.passes(recorded)) return open.tape(recorded);
    for (const one of toTexts(recorded)) {
      const work = write(buffer.add({ t: open.elapsedMs(), ...one }));
      if (isSoonDone) atOnce(work);
      else queue.add(work, one.line.length);
    }
  };
  const finish = () => {
    queue.finish();
    atOnce(write(buffer.end()));
  };
  return { tape, finish };
};

/** Longer lines are redacted in turns of the event loop, and all lines behind them. */
const MAX_AT_ONCE = 65_536;

const sizeOf = (recorded: RecordedLine | RecordedLines): number =>
  'lines' in recorded ? recorded.lines.length : recorded.line.length;

const toIncomplete = (trouble: string | undefined): string => (trouble === undefined ? '' : `; INCOMPLETE: ${trouble}`);

const toCountText = (counts: ReadonlyMap<string, number>): string => {
  const countOf = (dir: string): number => counts.get(dir) ?? 0;
  return `${countOf('in')} lines from the client, ${countOf('out')} from the server, ${countOf('err')} of stderr`;
};
