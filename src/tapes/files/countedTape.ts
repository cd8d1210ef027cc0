/** Opens a tape that counts its lines, and remarks on them at its end. */
import { ignoreElements, type Observable, tap } from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { redactionBuffer } from '../format/redactionBuffer';
import { redactor } from '../format/redactTape';
import { type LinesTape, TAPE_VERSION, type TapeFile } from '../format/tape';
import { toTexts } from '../format/tapeLines';
import { openTape, type TapeDeps } from './openTape';

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
  const buffer = redact && redactionBuffer(redact);
  const startMs = now();
  const counts = new Map<string, number>();
  const tape: LinesTape = (recorded) => {
    const lines = 'lines' in recorded ? recorded.count : 1;
    counts.set(recorded.dir, (counts.get(recorded.dir) ?? 0) + lines);
    if (buffer === undefined || ('lines' in recorded && buffer.passes(recorded))) open.tape(recorded);
    else for (const one of toTexts(recorded)) buffer.add({ t: open.elapsedMs(), ...one }).forEach(open.tape);
  };
  const close = () => {
    buffer?.end().forEach(open.tape);
    const { bytes, trouble } = open.close();
    const text = `${path}: ${toCountText(counts)}; ${bytes} bytes, ${Math.round(now() - startMs)} ms`;
    return open.settled$.pipe(
      tap((late) => remark(`${text}${toIncomplete(trouble ?? late)}`)),
      ignoreElements(),
    );
  };
  return { tape, close };
};

const toIncomplete = (trouble: string | undefined): string => (trouble === undefined ? '' : `; INCOMPLETE: ${trouble}`);

const toCountText = (counts: ReadonlyMap<string, number>): string => {
  const countOf = (dir: string): number => counts.get(dir) ?? 0;
  return `${countOf('in')} lines from the client, ${countOf('out')} from the server, ${countOf('err')} of stderr`;
};
