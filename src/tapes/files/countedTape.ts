/** Opens a tape that counts its lines, and remarks on them at its end. */
import { ignoreElements, type Observable, tap } from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { redactionBuffer } from '../format/redactionBuffer';
import { redactor } from '../format/redactTape';
import { type LinesTape, TAPE_VERSION } from '../format/tape';
import type { TapeFile } from '../format/tapeFile';
import { toTexts } from '../format/toTexts';
import { openTape, type TapeDeps } from './openTape';

/** `started` is the date of the session; `hide` lists secret values, for a tape that is redacted. */
export type CountedDeps = Pick<TapeDeps, 'now' | 'remark'> & {
  started: Date;
  version: string;
  hide?: readonly string[];
};

/** `path` names the file for people. */
export type Target = { path: string; file: TapeFile };

/** `close` writes the rest at once, and completes when the tape is where it belongs. */
export type CountedTape = { tape: LinesTape; close: () => Observable<never> };

/** Begins a session on the tape. `more` goes onto its first line. */
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
