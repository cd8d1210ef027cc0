/** Writes a copy of a tape without its secrets. */
import { map, type Observable } from 'rxjs';
import { type LoadDeps, loadItems } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeNew';
import { toVisibleLines } from '../../io/log/toPlain';
import { TapeError } from '../../tapes/files/tapeError';
import { countKinds, redactTape } from '../../tapes/format/redactTape';
import { toTapeLine } from '../../tapes/format/toTapeLine';

/** `removed` is how often each kind was; `lines` the lines it stood in. `text` is the new tape where no file was named, fit for a terminal. */
export type Redacted = { removed: Record<string, number>; lines: Record<string, number[]>; text?: string };

/** Takes the secrets out of a tape. @param out the file for it, undefined for none; never that of the tape itself */
export const startRedacting = (
  deps: LoadDeps,
  path: string,
  { out, secrets }: { out?: string; secrets: readonly string[] },
): Observable<Redacted> =>
  loadItems(deps, path).pipe(
    map((items) => {
      if (!items.some(({ kind }) => kind === 'entry')) throw new TapeError(`${path} holds no tape`);
      const { items: redacted, removed } = redactTape(items, secrets);
      const text = redacted.flatMap((item) => toTapeLine(item) ?? []).join('\n');
      if (out !== undefined) writeNew(out, `${text}\n`);
      const lines: Record<string, number[]> = {};
      for (const { kind, lineNumber } of removed) lines[kind] = [...new Set([...(lines[kind] ?? []), lineNumber])];
      return { removed: countKinds(removed), lines, ...(out === undefined && { text: toVisibleLines(text) }) };
    }),
  );
