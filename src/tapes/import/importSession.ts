/** Makes a tape from a file that another program wrote, and detects which program that was. */
import { isSessionStart } from '../../threads/lines/sessionStart';
import { type Entry, INPUT_ENDED, type LineProblem, type Session, TAPE_VERSION, type TapeItem } from '../format/tape';
import { fromCapture, isCaptured } from './fromCapture';
import { fromRollout } from './fromRollout';
import { type Imported, type SourceLine, toSource } from './source';

/** What can be imported; `auto` detects it by the first lines. */
export const SOURCES = ['auto', 'rollout', 'capture'] as const;
/** The name of a kind of file that can be imported, or `auto`. */
export type SourceName = (typeof SOURCES)[number];

const IMPORTERS: Record<
  Exclude<SourceName, 'auto'>,
  (source: readonly SourceLine[], problems: LineProblem[]) => Imported
> = {
  rollout: fromRollout,
  capture: fromCapture,
};

/** The kind of a file by its first lines; undefined for an unknown one. */
const kindOf = (source: readonly SourceLine[]): Exclude<SourceName, 'auto'> | undefined => {
  const head = source[0]?.value;
  if (head === undefined) return undefined;
  if (isSessionStart(head)) return 'rollout';
  return source.slice(0, 8).some(({ value }) => isCaptured(value)) ? 'capture' : undefined;
};

/** The tape, and the lines that could not be read; undefined for a file of no known kind. */
export type ImportResult =
  | { kind: Exclude<SourceName, 'auto'>; items: TapeItem[]; problems: LineProblem[] }
  | undefined;

/** Imports the lines of a rollout of Codex, or of a capture of another recorder, as one session. */
export const importSession = (lines: readonly string[], name: SourceName, recorder: string): ImportResult => {
  const { source, problems } = toSource(lines);
  const kind = name === 'auto' ? kindOf(source) : name;
  if (kind === undefined || source.length === 0) return undefined;
  const { meta, entries } = IMPORTERS[kind](source, problems);
  const head: Session['meta'] = { version: TAPE_VERSION, recorder, imported: kind, ...meta };
  const items: TapeItem[] = [
    { kind: 'meta', lineNumber: 1, meta: head },
    ...[...entries, endAfter(entries)].map(
      (entry, index): TapeItem => ({ kind: 'entry', lineNumber: index + 2, entry }),
    ),
  ];
  return { kind, items, problems: problems.sort((a, b) => a.lineNumber - b.lineNumber) };
};

/** No such file records when the client's input ended, so it ends with the last entry. */
const endAfter = (entries: readonly Entry[]): Entry => ({ t: entries.at(-1)?.t ?? 0, dir: 'note', line: INPUT_ENDED });
