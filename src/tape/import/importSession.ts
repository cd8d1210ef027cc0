/** Owns telling files of other programs apart, and making a session of one. */
import { type Entry, INPUT_ENDED, type Session, TAPE_VERSION, type TapeItem, type Trouble } from '../tape';
import { fromCapture, isCaptured } from './fromCapture';
import { fromRollout, isRolloutStart } from './fromRollout';
import { type Imported, type SourceLine, toSource } from './source';

export const SOURCES = ['auto', 'rollout', 'capture'] as const;
export type SourceName = (typeof SOURCES)[number];

const IMPORTERS: Record<
  Exclude<SourceName, 'auto'>,
  (source: readonly SourceLine[], troubles: Trouble[]) => Imported
> = {
  rollout: fromRollout,
  capture: fromCapture,
};

/** What a file is by its first lines; undefined for none that is known. */
const kindOf = (source: readonly SourceLine[]): Exclude<SourceName, 'auto'> | undefined => {
  const head = source[0]?.value;
  if (head === undefined) return undefined;
  if (isRolloutStart(head)) return 'rollout';
  return source.slice(0, 8).some(({ value }) => isCaptured(value)) ? 'capture' : undefined;
};

/** A tape of what a file holds; undefined when it is of no kind that is known. `troubles` are lines that say nothing on it. */
export type ImportResult = { kind: Exclude<SourceName, 'auto'>; items: TapeItem[]; troubles: Trouble[] } | undefined;

/** Makes a tape of the lines of a rollout of Codex, or of a capture of another recorder. */
export const importSession = (lines: readonly string[], name: SourceName, recorder: string): ImportResult => {
  const { source, troubles } = toSource(lines);
  const kind = name === 'auto' ? kindOf(source) : name;
  if (kind === undefined || source.length === 0) return undefined;
  const { meta, entries } = IMPORTERS[kind](source, troubles);
  const head: Session['meta'] = { version: TAPE_VERSION, recorder, imported: kind, ...meta };
  const items: TapeItem[] = [
    { kind: 'meta', lineNumber: 1, meta: head },
    ...[...entries, endAfter(entries)].map(
      (entry, index): TapeItem => ({ kind: 'entry', lineNumber: index + 2, entry }),
    ),
  ];
  return { kind, items, troubles: troubles.sort((a, b) => a.lineNumber - b.lineNumber) };
};

/** No such file says when the client left, so it leaves at the end. */
const endAfter = (entries: readonly Entry[]): Entry => ({ t: entries.at(-1)?.t ?? 0, dir: 'note', line: INPUT_ENDED });
