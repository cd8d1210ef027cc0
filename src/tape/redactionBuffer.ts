/** Takes the secrets out of lines while they are recorded: pieces of a text are buffered until the text is whole. */
import { isObject, parseJson } from '../protocol/jsonrpc';
import { toBuffer } from '../streams';
import { redactPieces } from './redactPieces';
import type { Redactor } from './redactTape';
import { mayBePiece, pieceOf } from './spreadDeltas';
import type { Entry, RecordedLines, TapeItem } from './tape';

/**
 * `passes` is true for lines that came together if they can be written as they are. `add` and `end` give the lines that can be written now,
 * in the order in which they came; after `end` nothing is buffered.
 */
export type RedactionBuffer = {
  passes: (recorded: RecordedLines) => boolean;
  add: (entry: Entry) => readonly Entry[];
  end: () => readonly Entry[];
};

/** The functions of a redactor that lines need. */
type LineRedactor = Pick<Redactor, 'line' | 'text' | 'mayHold'>;

/** How long a secret may be that pieces split; and how much is buffered at most. */
const MAX_SECRET_CHARS = 16_384;
const MAX_BUFFERED = { chars: 4 * MAX_SECRET_CHARS, lines: 20_000 };

/** Messages after which a text has no further piece. */
const ENDS_TEXT =
  /(?:complete|completed|end|ended|exited|closed|done|finished|aborted|failed|stop|message|reasoning)$/i;

/**
 * Buffers lines from the first piece of a text on, until a response or a message that something is over. A text that is longer than what
 * is buffered is redacted part by part, each with the end of the one before.
 */
export const redactionBuffer = ({ line, text, mayHold }: LineRedactor): RedactionBuffer => {
  let carried: readonly Entry[] = [];
  let arrived: Entry[] = [];
  let chars = 0;
  /** `whole` keeps nothing back. */
  const release = (what: 'whole' | 'part'): readonly Entry[] => {
    const redacted = withoutSplit([...carried, ...arrived], text);
    const cut = what === 'whole' ? redacted.length : firstOfEnds(redacted);
    carried = redacted.slice(cut);
    arrived = [];
    chars = 0;
    return redacted.slice(0, cut).map((entry) => line(entry));
  };
  const isIdle = () => carried.length + arrived.length === 0;
  return {
    passes: (recorded) => isIdle() && !isConcerned(recorded, mayHold),
    add: (entry) => {
      if (isIdle() && !mayBePiece(entry.line)) return [line(entry)];
      const message = parseJson(entry.line);
      const piece = pieceOf(message);
      if (piece === undefined && isIdle()) return [line(entry)];
      arrived.push(entry);
      chars += piece?.text.length ?? 0;
      if (piece === undefined && endsTexts(entry, message)) return release('whole');
      if (arrived.length >= MAX_BUFFERED.lines) return release('whole');
      return chars >= MAX_BUFFERED.chars ? release('part') : [];
    },
    end: () => release('whole'),
  };
};

/** Whether one of the lines may hold a secret or a piece. Both tests look for ASCII only, so each byte can be read as a character. */
const isConcerned = ({ lines }: RecordedLines, mayHold: Redactor['mayHold']): boolean => {
  const text = toBuffer(lines).toString('latin1');
  return mayHold(text) || mayBePiece(text);
};

const endsTexts = ({ dir }: Entry, message: unknown): boolean => dir === 'exit' || endsText(message);

/** Whether a message is a response, or one after which a text has no further piece. Events of Codex are in `params.msg`. */
const endsText = (message: unknown): boolean => {
  if (!isObject(message)) return false;
  const { method, type, params, msg } = message;
  if ('id' in message && method === undefined) return true;
  return [method, type].some((name) => typeof name === 'string' && ENDS_TEXT.test(name)) || endsText(params ?? msg);
};

const toItem = (entry: Entry): TapeItem => ({ kind: 'entry', lineNumber: 0, entry });

const withoutSplit = (entries: readonly Entry[], redact: (text: string) => string): Entry[] =>
  redactPieces(entries.map(toItem), redact).flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));

/** The first line that has a piece of a text's last `MAX_SECRET_CHARS`, where a secret may have begun. */
const firstOfEnds = (entries: readonly Entry[]): number => {
  const behind = new Map<string, number>();
  return entries.reduceRight((first, entry, at) => {
    const piece = pieceOf(parseJson(entry.line));
    if (piece === undefined) return first;
    const key = `${entry.dir} ${entry.seam ?? ''} ${piece.key}`;
    const already = behind.get(key) ?? 0;
    behind.set(key, already + piece.text.length);
    return already < MAX_SECRET_CHARS ? at : first;
  }, entries.length);
};
