/** Takes the secrets out of lines while they are recorded: pieces of a text are buffered until the text is whole. */
import { isObject, ownOf, parseJson, toObject } from '../../protocol/jsonrpc/json';
import { toBuffer } from '../../streams/bytes/toBuffer';
import type { Pausing } from '../../streams/pausing';
import { mayBePiece, pieceOf, redactPieces, textKey } from './redactPieces';
import type { Redactor } from './redactTape';
import type { Entry, RecordedLines, TapeItem } from './tape';

/** How long a secret may be that pieces split, in characters. */
export const MAX_SECRET_CHARS = 16_384;

/** Takes lines, and returns the lines that can be written, in the order in which they came. */
type RedactionBuffer = {
  /** Whether lines that came together can be written unchanged and at once. */
  passes: (recorded: RecordedLines) => boolean;
  /** Returns the lines that can be written now. */
  add: (entry: Entry) => Pausing<readonly Entry[]>;
  /** Returns all lines that are left. */
  end: () => Pausing<readonly Entry[]>;
};

type LineRedactor = Pick<Redactor, 'line' | 'find' | 'mayHold'>;

/** How much is buffered at most. */
const MAX_BUFFERED = { chars: 4 * MAX_SECRET_CHARS, lines: 20_000 };

/** Buffers lines while a text may have further pieces. A longer text is redacted part by part, each with the end of the previous one. */
export const redactionBuffer = ({ line, find, mayHold }: LineRedactor): RedactionBuffer => {
  const open = openTexts();
  const buffered = bufferedLines({ open, find });
  let chars = 0; // of the pieces that came since the last release
  function* release(): Pausing<readonly Entry[]> {
    chars = 0;
    return yield* redactEach(line, yield* buffered.release());
  }
  function* releaseAfter(end?: Sent): Pausing<readonly Entry[]> {
    open.end(end);
    return buffered.isFirstOpen() ? [] : yield* release();
  }
  return {
    passes: (recorded) => buffered.count() === 0 && !isConcerned(recorded, mayHold),
    add: function* (entry) {
      const isIdle = buffered.count() === 0;
      const message = isIdle && !mayBePiece(entry.line) ? undefined : parseJson(entry.line);
      const piece = pieceOf(message);
      if (piece === undefined && isIdle) return [yield* line(entry)];
      const sent = { dir: entry.dir, message };
      buffered.add(entry);
      if (entry.dir === 'exit' || buffered.count() >= MAX_BUFFERED.lines) return yield* releaseAfter();
      if (piece === undefined) return isEnd(message) ? yield* releaseAfter(sent) : [];
      open.add(textKey(entry, piece), sent);
      chars += piece.text.length;
      return chars >= MAX_BUFFERED.chars ? yield* release() : [];
    },
    end: releaseAfter,
  };
};

function* redactEach(line: LineRedactor['line'], entries: readonly Entry[]): Pausing<readonly Entry[]> {
  const redacted: Entry[] = [];
  for (const entry of entries) redacted.push(yield* line(entry));
  return redacted;
}

/** Whether one of the lines may hold a secret or a piece. Both tests look for ASCII only, so each byte can be read as a character. */
const isConcerned = ({ lines }: RecordedLines, mayHold: Redactor['mayHold']): boolean => {
  const text = toBuffer(lines).toString('latin1');
  return mayHold(text) || mayBePiece(text);
};

type BufferedDeps = {
  /** The texts that may have further pieces. */
  open: Pick<OpenTexts, 'has'>;
  /** The secrets in a whole text. */
  find: Redactor['find'];
};

type BufferedLines = {
  add: (entry: Entry) => void;
  /** Returns the lines that can be written, redacted. Keeps the ends of open texts, where a secret may have begun, and all lines after them. */
  release: () => Pausing<readonly Entry[]>;
  /** The first line has a piece of an open text. */
  isFirstOpen: () => boolean;
  count: () => number;
};

/** A line, and the key of the text that it has a piece of, with the length of that piece. */
type Waiting = { entry: Entry; text?: { key: string; length: number } };

/** Makes an empty buffer. */
export const bufferedLines = ({ open, find }: BufferedDeps): BufferedLines => {
  let waiting: Waiting[] = [];
  return {
    add: (entry) => void waiting.push(toWaiting(entry)),
    release: function* () {
      const cut = firstOfEnds(waiting, open);
      const redacted = yield* withoutSplit(waiting, { cut, find });
      waiting = redacted.slice(cut);
      return redacted.slice(0, cut).map(({ entry }) => entry);
    },
    isFirstOpen: () => {
      const key = waiting[0]?.text?.key;
      return key !== undefined && open.has(key);
    },
    count: () => waiting.length,
  };
};

const toWaiting = (entry: Entry): Waiting => {
  const piece = pieceOf(parseJson(entry.line));
  return piece === undefined ? { entry } : { entry, text: { key: textKey(entry, piece), length: piece.text.length } };
};

type Cut = Pick<BufferedDeps, 'find'> & { cut: number };

/** Redacts the texts that have a piece before the cut. Other texts wait: with many open texts, redacting all each time takes most of the time. */
function* withoutSplit(waiting: readonly Waiting[], { cut, find }: Cut): Pausing<Waiting[]> {
  const keys = new Set(waiting.slice(0, cut).map(({ text }) => text?.key));
  const concerned = waiting.filter(({ text }) => text !== undefined && keys.has(text.key));
  const items = yield* redactPieces(
    concerned.map(({ entry }): TapeItem => ({ kind: 'entry', lineNumber: 0, entry })),
    find,
  );
  const fresh = new Map(concerned.map((one, i) => [one, items[i]]));
  return waiting.map((one) => {
    const item = fresh.get(one);
    return item?.kind !== 'entry' || item.entry === one.entry ? one : toWaiting(item.entry);
  });
}

/** The first line with a piece of the last `MAX_SECRET_CHARS` of an open text, where a secret may have begun. */
const firstOfEnds = (waiting: readonly Waiting[], open: BufferedDeps['open']): number => {
  const behind = new Map<string, number>();
  return waiting.reduceRight((first, { text }, at) => {
    if (text === undefined || !open.has(text.key)) return first;
    const already = behind.get(text.key) ?? 0;
    behind.set(text.key, already + text.length);
    return already < MAX_SECRET_CHARS ? at : first;
  }, waiting.length);
};

/** Names of messages after which a text has no further piece. */
const ENDS_TEXT =
  /(?:complete|completed|end|ended|exited|closed|done|finished|aborted|failed|stop|message|reasoning)$/i;

/** A log record of a server: no end, although its name looks like one. */
const LOG_RECORD = 'notifications/message';

/** Whether a message ends texts: a response, or an event whose name says so. */
export const isEnd = (message: unknown): boolean => {
  if (!isObject(message) || message.method === LOG_RECORD) return false;
  const isResponse = 'id' in message && message.method === undefined;
  return isResponse || namesEnd(message);
};

/** Events of Codex are in `params.msg`, next to an id of their own. */
const namesEnd = (part: unknown): boolean => {
  if (!isObject(part)) return false;
  const { method, type, params, msg } = part;
  return [method, type].some((name) => typeof name === 'string' && ENDS_TEXT.test(name)) || namesEnd(params ?? msg);
};

/** What a message belongs to, by kind: its thread, its item, and so on. */
type Owners = ReadonlyMap<string, unknown>;

/** The members that name an owner, in the spellings of Codex and of the Responses API. */
const KINDS: Readonly<Record<string, string>> = {
  requestId: 'request',
  threadId: 'thread',
  thread_id: 'thread',
  conversationId: 'thread',
  itemId: 'item',
  item_id: 'item',
  callId: 'call',
  call_id: 'call',
  processId: 'process',
  process_id: 'process',
};

/** A message, and the direction in which it went. */
type Sent = { dir: string; message: unknown };

type OpenTexts = {
  /** Takes a piece with the key of its text. */
  add: (key: string, piece: Sent) => void;
  /** Takes a message that ends texts; without a message all texts end. */
  end: (end?: Sent) => void;
  has: (key: string) => boolean;
};

/**
 * Starts without open texts. A text stays open if something else ends: a message in the other direction, or with another owner of the same kind, such as
 * another item. Any other end in its direction ends the text, also an end without an owner.
 */
export const openTexts = (): OpenTexts => {
  const open = new Map<string, Owners>();
  return {
    add: (key, piece) => void (open.has(key) || open.set(key, ownersOf(piece))),
    end: (end) => {
      const own: Owners = end === undefined ? new Map() : ownersOf(end);
      for (const [key, owners] of open) if (!isOther(owners, own)) open.delete(key);
    },
    has: (key) => open.has(key),
  };
};

const isOther = (one: Owners, other: Owners): boolean =>
  [...one].some(([kind, id]) => other.has(kind) && other.get(kind) !== id);

const ownersOf = ({ dir, message }: Sent): Owners => {
  const { id, method, params, type } = toObject(message);
  const { msg, _meta: meta } = toObject(params);
  const isResponse = id !== undefined && method === undefined && type === undefined;
  const request = isResponse ? [['request', requestOf(message, id)] as const] : [];
  const update = method === 'session/update' ? [['request', PROMPT] as const] : [];
  return new Map<string, unknown>([
    ['direction', dir],
    ...request,
    ...update,
    ...[message, params, msg, meta].flatMap(named),
  ]);
};

/** The request of the texts of ACP, which do not name it: a session has one prompt at a time, and any response may come while it runs. */
const PROMPT = 'session/prompt';

const requestOf = (message: unknown, id: unknown): unknown =>
  typeof toObject(toObject(message).result).stopReason === 'string' ? PROMPT : id;

const named = (value: unknown): [string, unknown][] => {
  const { item, ...members } = toObject(value);
  const { id } = toObject(item);
  const own = Object.entries(members).flatMap(([name, one]): [string, unknown][] => {
    const kind = ownOf(KINDS, name);
    return kind === undefined || one === null ? [] : [[kind, one]];
  });
  return id === undefined ? own : [...own, ['item', id]];
};
