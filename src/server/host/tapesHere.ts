/** The recorded sessions that the operator offers to clients: the tapes of one folder, as text without times, ids and secrets. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { concatMap, defer, from, map, type Observable, of, reduce, toArray } from 'rxjs';
import { linkFactsAt } from '../../io/paths/look';
import { type CodexHost, HostError } from '../../protocol/methods/host';
import { inTurns } from '../../streams/inTurns';
import { toVisibleLines } from '../../streams/text/visible';
import { toText } from '../../tapes/diff/toText';
import { readTape } from '../../tapes/format/readTape';
import { streamRedactor } from '../../tapes/format/streamRedactor';
import { type TapeItem, toSessions } from '../../tapes/format/tape';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { tapeNamesIn } from './libraryHere';

/** The newest are offered. */
const MAX_TAPES = 100;
/** How much of a tape is read: no more of it could be shown. */
const MAX_BYTES = 262_144;
/** How much text is given to a client. */
const MAX_CHARS = 200_000;
/** How many lines are redacted in one turn of the event loop. */
const SLICE = 5;

/** What the tapes of a folder need. */
export type TapesDeps = {
  /** Absolute; undefined if no tapes are offered. */
  folder: string | undefined;
  /** Texts that are hidden, besides what looks like a secret. */
  secrets: readonly string[];
};

/** The tapes of a folder; links, hidden files and folders in it are none. */
export const tapesHere = ({ folder, secrets }: TapesDeps): Pick<CodexHost, 'listTapes' | 'readTape'> => ({
  listTapes: () => defer(() => of(newest(folder))),
  readTape: (name) =>
    defer(() => {
      const read = tapeNamesIn(folder).includes(name) ? headOf(join(folder as string, name)) : undefined;
      if (read === undefined) throw new HostError(`there is no tape ${name}`);
      return toTapeText(read.text, secrets).pipe(map((text) => withNote(name, text, read.isWhole)));
    }),
});

const newest = (folder: string | undefined): string[] =>
  tapeNamesIn(folder)
    .map((name) => ({ name, ms: linkFactsAt(join(folder as string, name))?.mtimeMs ?? 0 }))
    .sort((one, other) => other.ms - one.ms || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_TAPES)
    .map(({ name }) => name);

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

type Head = { text: string; isWhole: boolean };

/** The whole lines in the first bytes of a regular file; undefined for anything else. */
const headOf = (path: string): Head | undefined => {
  try {
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      if (!fstatSync(fd).isFile()) return undefined;
      const bytes = Buffer.alloc(MAX_BYTES + 1);
      const length = readSync(fd, bytes, 0, bytes.length, 0);
      const isWhole = length <= MAX_BYTES;
      const end = isWhole ? length : bytes.lastIndexOf('\n', MAX_BYTES) + 1;
      return { text: bytes.toString('utf8', 0, end), isWhole };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // it has gone, or is closed to this user
  }
};

const toTapeText = (text: string, secrets: readonly string[]): Observable<string> =>
  from(text.split('\n')).pipe(
    readTape(),
    toArray(),
    concatMap((items) => inTurns(redacted(items, secrets), SLICE)),
    toArray(),
    concatMap((batches) => inTurns(sessionTexts(batches.flat(2)), 1)),
    reduce((all, lines) => `${all}${lines.join('')}`, ''),
  );

/** A secret is removed everywhere, so the tape is gone through twice. */
function* redacted(items: readonly TapeItem[], secrets: readonly string[]): Generator<readonly TapeItem[]> {
  const { learn, redact, end } = streamRedactor(secrets);
  for (const item of items) {
    learn(item);
    yield [];
  }
  for (const item of items) yield redact(item);
  yield end().items;
}

function* sessionTexts(items: readonly TapeItem[]): Generator<string> {
  for (const session of toSessions(items).sessions) yield `${toText(toSessionIndex(session)).join('\n')}\n`;
}

const withNote = (name: string, text: string, isWhole: boolean): string => {
  const shown = toVisibleLines(text);
  if (isWhole && shown.length <= MAX_CHARS) return shown;
  return `${shown.slice(0, MAX_CHARS)}\n[This is the beginning of the tape; codex-rx tapes show ${name} prints the whole.]\n`;
};
