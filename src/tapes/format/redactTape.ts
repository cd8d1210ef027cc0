/** Takes the secrets out of a tape, while it is recorded or afterwards. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { redactPieces } from './redactPieces';
import { type RedactDeps, redactionOf, redactLine, redactObject } from './redactValue';
import type { RecordedLine, TapeItem } from './tape';
import { withLength } from './tapeLines';

/** Functions that take out secrets. */
export type Redactor = {
  /** Redacts a recorded line. */
  line: <T extends RecordedLine>(recorded: T) => T;
  /** Redacts the first line of a session. */
  meta: (meta: JsonObject) => JsonObject;
  /** Redacts a text. */
  text: (text: string) => string;
  /** False only for lines that the other functions do not change. */
  mayHold: (lines: string) => boolean;
  /** Whole values that were removed. */
  learned: () => readonly string[];
};

/** A value that was removed once is removed from all later lines. If a line that is not UTF-8 held a secret, only its text stays. */
export const redactor = (deps: RedactDeps): Redactor => {
  const redaction = redactionOf(deps);
  return {
    line: (recorded) => {
      const line = redactLine(redaction, recorded.line);
      const { bytes, ...rest } = recorded;
      const more = redactObject(redaction, otherMembers(recorded));
      const redacted = line === recorded.line ? recorded : { ...rest, line };
      return withLength({ ...redacted, ...more } as typeof recorded);
    },
    meta: ({ redacted, ...meta }) => redactObject(redaction, meta),
    text: redaction.text,
    mayHold: redaction.mayHold,
    learned: redaction.learned,
  };
};

/** The members of an entry that the format does not name, as other recorders write some. */
const otherMembers = (recorded: RecordedLine & { t?: number }): JsonObject => {
  const { t, dir, line, seam, end, bytes, call, status, head, fault, ...more } = recorded;
  return more;
};

/** A redacted tape, and the line and the kind of each thing removed. */
type RedactedTape = { items: TapeItem[]; removed: { lineNumber: number; kind: string }[] };

/**
 * Takes the secrets out of a tape, also out of its bad lines; the meta of each session counts what was removed. A value that is removed in one place
 * is removed everywhere, also before it; a secret that is split between deltas is removed from all of them.
 */
export const redactTape = (items: readonly TapeItem[], secrets: readonly string[]): RedactedTape => {
  const removed: RedactedTape['removed'] = [];
  let lineNumber = 0;
  const first = redactor({ secrets, onRemoved: () => {} });
  for (const item of items) redactItem(first)(item);
  const known = [...secrets, ...first.learned()];
  const last = redactor({ secrets: known, onRemoved: (kind) => removed.push({ lineNumber, kind }) });
  const redacted = redactPieces(items, (text, at) => {
    lineNumber = at;
    return last.text(text);
  }).map((item) => {
    lineNumber = item.lineNumber;
    return redactItem(last)(item);
  });
  const counts = countKinds(removed);
  return { items: withMeta(redacted).map((item) => withCounts(item, counts)), removed };
};

const redactItem =
  ({ line, meta, text }: Redactor) =>
  (item: TapeItem): TapeItem => {
    if (item.kind === 'entry') return { ...item, entry: line(item.entry) };
    if (item.kind === 'meta') return { ...item, meta: meta(item.meta) };
    return item.kind === 'bad' ? { ...item, text: text(item.text) } : item;
  };

/** A tape whose first session has no meta gets one. */
const withMeta = (items: readonly TapeItem[]): TapeItem[] => {
  const first = items.find(({ kind }) => kind === 'meta' || kind === 'entry');
  return first?.kind === 'meta' ? [...items] : [{ kind: 'meta', lineNumber: 0, meta: {} }, ...items];
};

const withCounts = (item: TapeItem, redacted: Record<string, number>): TapeItem =>
  item.kind === 'meta' ? { ...item, meta: { ...item.meta, redacted } } : item;

/** How often each kind was removed. */
export const countKinds = (removed: RedactedTape['removed']): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of removed) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
