/** Takes the secrets out of a tape, while it is recorded or afterwards. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { atOnce, type Pausing } from '../../streams/pausing';
import { keyLines } from './keyLines';
import { type RedactDeps, type Redaction, redactionOf } from './redaction';
import { redactPieces } from './redactPieces';
import type { RecordedLine, TapeItem } from './tape';
import { withLength } from './tapeLines';

/** Functions that take out secrets. */
export type Redactor = Pick<Redaction, 'find' | 'text' | 'mayHold' | 'learned'> & {
  /** Redacts a recorded line, and all its other members. */
  line: <T extends RecordedLine>(recorded: T) => Pausing<T>;
  /** Redacts the first line of a session. */
  meta: (meta: JsonObject) => JsonObject;
};

/** A value that was removed once is removed from all later lines. If a line that is not UTF-8 held a secret, only its text stays. */
export const redactor = (deps: RedactDeps): Redactor => {
  const redaction = redactionOf(deps);
  const keys = keyLines(deps.onRemoved);
  return {
    ...redaction,
    mayHold: (lines) => keys.isOpen() || redaction.mayHold(lines),
    line: function* (recorded) {
      const { line, bytes, ...others } = recorded;
      const redacted = yield* redaction.line(keys.line(`${recorded.dir} ${recorded.seam}`, line));
      const isSame = redacted === line;
      const more = yield* redaction.object(isSame && bytes !== undefined ? { ...others, bytes } : others);
      return withLength({ ...recorded, ...more, line: redacted, ...(!isSame && { bytes: undefined }) });
    },
    meta: ({ redacted, ...meta }) => atOnce(redaction.object(meta)),
  };
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
  const pieces = redactPieces(items, (text, at) => {
    lineNumber = at;
    return last.find(text);
  });
  const redacted = atOnce(pieces).map((item) => {
    lineNumber = item.lineNumber;
    return redactItem(last)(item);
  });
  const counts = countKinds(removed);
  return { items: withMeta(redacted).map((item) => withCounts(item, counts)), removed };
};

/** An item without its secrets. */
export const redactItem =
  ({ line, meta, text }: Redactor) =>
  (item: TapeItem): TapeItem => {
    if (item.kind === 'entry') return { ...item, entry: atOnce(line(item.entry)) };
    if (item.kind === 'meta') return { ...item, meta: meta(item.meta) };
    return item.kind === 'bad' ? { ...item, text: atOnce(text(item.text)) } : item;
  };

/** A tape whose first session has no meta gets one. */
const withMeta = (items: readonly TapeItem[]): TapeItem[] => {
  const first = items.find(({ kind }) => kind === 'meta' || kind === 'entry');
  return first?.kind === 'meta' ? [...items] : [{ kind: 'meta', lineNumber: 0, meta: {} }, ...items];
};

const withCounts = (item: TapeItem, redacted: Record<string, number>): TapeItem =>
  item.kind === 'meta' ? { ...item, meta: { ...item.meta, redacted } } : item;

/** How often each kind was removed. */
export const countKinds = (removed: readonly { kind: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of removed) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
