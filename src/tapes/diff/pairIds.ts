/** Finds generated ids that are in the same places of two messages. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { type IdPlace, placeBehind, placeOf } from './idPlace';
import { isNewId } from './isNewId';

/** An id, and the one in its place now. */
export type IdPair = { recorded: string; now: string };

/** The ids, and whether the messages differ in nothing else. */
export type PairedIds = { pairs: readonly IdPair[]; isAll: boolean };

/** Walks both messages. Ids are whole values of members, or words of texts. */
export const pairIds = (recorded: unknown, now: unknown): PairedIds => pairParts(recorded, now, '');

const NONE: PairedIds = { pairs: [], isAll: true };
const DIFFERENT: PairedIds = { pairs: [], isAll: false };

/** @param name of the member that the parts are in */
const pairParts = (recorded: unknown, now: unknown, name: string): PairedIds => {
  if (Object.is(recorded, now)) return NONE;
  if (typeof recorded === 'string' && typeof now === 'string') return pairTexts(recorded, now, placeOf(name));
  if (typeof recorded === 'number' && typeof now === 'number')
    return pairOf(String(recorded), String(now), placeOf(name)) ?? DIFFERENT;
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const parts = recorded.map((one, i) => pairParts(one, now[i], name));
    return joined(parts, recorded.length === now.length);
  }
  return isObject(recorded) && isObject(now) ? pairMembers(recorded, now) : DIFFERENT;
};

const pairMembers = (recorded: JsonObject, now: JsonObject): PairedIds => {
  const names = Object.keys(recorded);
  const parts = names.filter((name) => name in now).map((name) => pairParts(recorded[name], now[name], name));
  return joined(parts, parts.length === names.length && names.length === Object.keys(now).length);
};

const joined = (parts: readonly PairedIds[], isWhole: boolean): PairedIds => ({
  pairs: parts.flatMap(({ pairs }) => pairs),
  isAll: isWhole && parts.every(({ isAll }) => isAll),
});

const pairOf = (recorded: string, now: string, place: IdPlace): PairedIds | undefined =>
  isNewId(recorded, now, place) ? { pairs: [{ recorded, now }], isAll: true } : undefined;

const pairTexts = (recorded: string, now: string, place: IdPlace): PairedIds =>
  pairOf(recorded, now, place) ?? pairWords(recorded, now);

/** Words, and what is between them, in turn. */
const PIECE = /[\w-]+|[^\w-]+/g;

const pairWords = (recorded: string, now: string): PairedIds => {
  const [pieces, others] = [recorded.match(PIECE) ?? [], now.match(PIECE) ?? []];
  if (pieces.length !== others.length) return DIFFERENT;
  let at = 0;
  const parts = pieces.map((piece, i): PairedIds => {
    at += piece.length;
    if (piece === others[i]) return NONE;
    return pairOf(piece, others[i] as string, placeBehind(recorded.slice(0, at - piece.length))) ?? DIFFERENT;
  });
  return joined(parts, true);
};
