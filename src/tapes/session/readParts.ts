/** Cuts a session into parts that fit in memory, for what is counted or checked in a stream. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { NumberedEntry, Session } from '../format/tape';
import type { Call, SessionIndex } from './sessionIndex';
import { toSessionIndex } from './toSessionIndex';

/** A part of a session. A request without a response, the calls that open the session, and how the client ended it are in the next part again. */
export type Part = {
  index: SessionIndex;
  /** How many entries at its beginning are of earlier parts. */
  carried: number;
  /** Whether no part follows. */
  isLast: boolean;
};

/** A whole session as its only part. */
export const wholePart = (index: SessionIndex): Part => ({ index, carried: 0, isLast: true });

/** Takes the parts of a session in their order, and returns what it made of them. */
export type SessionFold<T> = { add: (part: Part) => void; end: () => T };

/** How much is in a part. */
const MAX = { entries: 20_000, chars: 16_000_000 };

/** Takes the entries of a session one by one, and gives parts of it to `fold`. */
export const readParts = <T>(meta: JsonObject, fold: SessionFold<T>, max = MAX) => {
  let entries: NumberedEntry[] = [];
  let [carried, chars] = [0, 0];
  const give = (isLast: boolean): void => {
    const index = toSessionIndex({ meta, entries });
    fold.add({ index, carried, isLast });
    entries = isLast ? [] : stillOpen(index);
    carried = entries.length;
    chars = 0;
  };
  return {
    add: (numbered: NumberedEntry): void => {
      if (numbered.entry.line.trim() === '') return;
      entries.push(numbered);
      chars += numbered.entry.line.length;
      if (entries.length - carried >= max.entries || chars >= max.chars) give(false);
    },
    end: (): T => {
      give(true);
      return fold.end();
    },
  };
};

/** Calls by which both sides know what comes later. */
const OPENS = /^(?:initialize|session\/(?:new|load|resume))$/;

const stillOpen = ({ calls, messages, entries, inputEnded, signalled }: SessionIndex): NumberedEntry[] => {
  const kept = calls.flatMap(({ outcome, request, response }) => {
    const asked = messages[request];
    const isKept = outcome === 'open' || (asked && 'method' in asked.message && OPENS.test(asked.message.method));
    return isKept ? [asked, messages[response ?? -1]].flatMap((one) => one?.entry ?? []) : [];
  });
  const ends = [inputEnded, signalled?.entry].flatMap((at) => at ?? []);
  const all = new Set([...kept, ...ends]);
  return [...all]
    .toSorted((a, b) => a - b)
    .flatMap((at) => entries[at] ?? [])
    .map(toNumbered);
};

const toNumbered = ({ lineNumber, entry }: NumberedEntry): NumberedEntry => ({ lineNumber, entry });

/** The calls of a part without the calls that earlier parts have with their responses. */
export const callsOf = ({ index, carried }: Part): readonly Call[] =>
  carried === 0
    ? index.calls
    : index.calls.filter(({ response }) => (index.messages[response ?? -1]?.entry ?? carried) >= carried);

/** A part of the time of a session, in ms since it began; both ends belong to it. */
export type Span = { begin: number; end: number };

/** Whether an entry is in a part of the time. */
export const isBetween =
  ({ begin, end }: Span) =>
  ({ entry }: NumberedEntry): boolean =>
    begin <= entry.t && entry.t <= end;

/** A session whose other entries were left out. */
export type SessionPart = Session & {
  /** Whether there was more than may be in memory. */
  isCut: boolean;
};

/** Takes the entries in a part of the time. @param maxChars how long their lines may be together */
export const entriesBetween = (span: Span, maxChars: number): SessionFold<SessionPart> => {
  const entries: NumberedEntry[] = [];
  let meta: JsonObject = {};
  let chars = 0;
  return {
    add: ({ index, carried }) => {
      meta = index.meta;
      for (const numbered of index.entries.slice(carried).filter(isBetween(span))) {
        chars += numbered.entry.line.length;
        if (chars <= maxChars) entries.push(toNumbered(numbered));
      }
    },
    end: () => ({ meta, entries, isCut: chars > maxChars }),
  };
};
