/** Imports a file that another program wrote as a tape. */
import { map, type Observable } from 'rxjs';
import { type LoadDeps, loadLines, remarkProblems } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeNew';
import { toVisibleLines } from '../../io/log/toPlain';
import { TapeError } from '../../tapes/files/tapeError';
import { toTapeLine } from '../../tapes/format/toTapeLine';
import { importSession, type SourceName } from '../../tapes/import/importSession';

/** `entries` is how many lines the tape got; `text` is the tape where no file was named, fit for a terminal: its values are the same. */
export type Imported = { kind: string; entries: number; text?: string };

/** Reads a rollout or a capture. @param out the file for the tape, which must not be there yet; undefined for none */
export const startImporting = (
  deps: LoadDeps & { version: string },
  path: string,
  { from, out }: { from: SourceName; out?: string },
): Observable<Imported> =>
  loadLines(deps, path).pipe(
    map((lines) => {
      const result = importSession(lines, from, `codex-rx ${deps.version} import`);
      if (result === undefined)
        throw new TapeError(`${path} is neither a rollout of Codex nor a capture that is known`);
      remarkProblems(deps, path, result.problems);
      const text = result.items.map(toTapeLine).join('\n');
      if (out !== undefined) writeNew(out, `${text}\n`);
      return {
        kind: result.kind,
        entries: result.items.length - 1,
        ...(out === undefined && { text: toVisibleLines(text) }),
      };
    }),
  );
