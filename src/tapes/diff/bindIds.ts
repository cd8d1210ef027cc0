/** Binds ids that a server generates and nobody sends back: a recorded id and the id in its place now become one placeholder everywhere. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { toCanonical } from '../matching/matchKey';
import { groupBy } from '../session/groupBy';
import type { SessionIndex } from '../session/sessionIndex';
import { type IdPlace, isNewId, placeBehind, placeOf } from './isNewId';
import type { Compared } from './toComparer';

/** The server lines of a lane in both sessions. */
export type LaneLines = { recorded: readonly Compared[]; now: readonly Compared[] };

type Indexes = { recorded: SessionIndex; now: SessionIndex };

/** The lanes with a placeholder for each pair of ids. An id with several partners, or used elsewhere, stays as it is. */
export const bindIds = (lanes: readonly LaneLines[], indexes: Indexes): readonly LaneLines[] => {
  const found = lanes.map(pairLane);
  const sure = found.flatMap((one) => one?.alone ?? []);
  const known = new Set(sure.flatMap(({ recorded, now }) => [recorded, now]));
  const free = found
    .flatMap((one) => one?.shifted ?? [])
    .filter(({ recorded, now }) => !known.has(recorded) && !known.has(now));
  const bound = withoutKnown([...oneToOne(sure), ...oneToOne(free)], indexes);
  if (bound.length === 0 || lanes.some(holdsPlaceholder)) return lanes;
  const [before, after] = [placeholders(bound, 'recorded'), placeholders(bound, 'now')];
  return lanes.map(({ recorded, now }, i) =>
    found[i] === undefined
      ? { recorded, now }
      : {
          recorded: recorded.map((line) => withPlaceholders(line, before)),
          now: now.map((line) => withPlaceholders(line, after)),
        },
  );
};

type Found = {
  /** Ids from lines whose only difference is the id, up to the first line with another difference. */
  alone: readonly IdPair[];
  /** Ids from the first other difference on; positions there may be shifted. */
  shifted: readonly IdPair[];
};

const pairLane = ({ recorded, now }: LaneLines): Found | undefined => {
  const found = recorded.flatMap((line, i): PairedIds[] => {
    const other = now[i];
    return other === undefined || line.text === other.text ? [] : [pairIds(line.value, other.value)];
  });
  if (found.length === 0) return undefined;
  const first = found.findIndex(({ isAll }) => !isAll);
  const pairs = (some: readonly PairedIds[]): IdPair[] => some.flatMap((one) => one.pairs);
  return first === -1
    ? { alone: pairs(found), shifted: [] }
    : { alone: pairs(found.slice(0, first)), shifted: pairs(found.slice(first)) };
};

const oneToOne = (pairs: readonly IdPair[]): IdPair[] => {
  const partners = (side: keyof IdPair, other: keyof IdPair): Map<string, Set<string>> =>
    new Map(
      [...groupBy(pairs, (pair) => pair[side])].map(([id, all]) => [id, new Set(all.map((pair) => pair[other]))]),
    );
  const [ofRecorded, ofNow] = [partners('recorded', 'now'), partners('now', 'recorded')];
  return [...ofRecorded].flatMap(([recorded, [now = '', ...more]]) =>
    more.length === 0 && ofNow.get(now)?.size === 1 ? [{ recorded, now }] : [],
  );
};

const withoutKnown = (pairs: readonly IdPair[], { recorded, now }: Indexes): IdPair[] => {
  if (pairs.length === 0) return [];
  const linesOf = (lines: SessionIndex['clientLines'] | SessionIndex['serverLines']) => lines.map(({ line }) => line);
  const [toServer, toServerNow] = [linesOf(recorded.clientLines), linesOf(now.clientLines)];
  const isInOther = occurring(
    pairs.map((pair) => pair.recorded),
    [...toServer, ...toServerNow, ...linesOf(now.serverLines)],
  );
  const isInRecorded = occurring(
    pairs.map((pair) => pair.now),
    [...toServer, ...toServerNow, ...linesOf(recorded.serverLines)],
  );
  return pairs.filter((pair) => !isInOther(pair.recorded) && !isInRecorded(pair.now));
};

/** An id has only these characters, so it occurs within such a run. */
const RUN = /[\w-]{6,}/g;

/** A test for ids that occur in the lines, also as a part of a longer word. */
const occurring = (ids: readonly string[], lines: readonly string[]): ((id: string) => boolean) => {
  const sought = new Set(ids);
  const lengths = [...new Set(ids.map(({ length }) => length))];
  const runs = new Set(lines.flatMap((line) => line.match(RUN) ?? []));
  const seen = new Set<string>();
  for (const run of runs) {
    for (const length of lengths) {
      for (let end = length; end <= run.length; end += 1) {
        const part = run.slice(end - length, end);
        if (sought.has(part)) seen.add(part);
      }
    }
  }
  return (id) => seen.has(id);
};

type Placeholders = ReadonlyMap<string, string>;

const placeholders = (pairs: readonly IdPair[], side: keyof IdPair): Placeholders =>
  new Map(pairs.map((pair, i) => [pair[side], `<id ${i + 1}>`]));

/** A server may itself write placeholders; then none are made. */
const holdsPlaceholder = ({ recorded, now }: LaneLines): boolean =>
  [recorded, now].some((lines) => lines.some(({ text }) => text.includes('<id ')));

const withPlaceholders = (line: Compared, ids: Placeholders): Compared => {
  const value = replaced(line.value, ids);
  return { ...line, value, text: toCanonical(value) };
};

const replaced = (value: unknown, ids: Placeholders): unknown => {
  if (typeof value === 'string') return ids.get(value) ?? value.replace(/[\w-]{6,}/g, (word) => ids.get(word) ?? word);
  if (typeof value === 'number') return ofNumber(ids.get(String(value))) ?? value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, ids)]));
};

/** The placeholder of a number, which differs from the placeholder of a text. */
const ofNumber = (placeholder: string | undefined): string | undefined => placeholder?.replace('>', ', a number>');

type IdPair = { recorded: string; now: string };

/** The ids of two messages. */
export type PairedIds = {
  pairs: readonly IdPair[];
  /** The messages differ in nothing else. */
  isAll: boolean;
};

/** Walks both messages. Ids are whole values of members, or words of texts; an id that is found in one place may stand in any other. */
export const pairIds = (recorded: unknown, now: unknown): PairedIds => {
  const toPlace = placesIn(recorded);
  const first = pairParts(recorded, now, { name: '', toPlace });
  const texts = first.pairs.filter((pair) => !/^\d+$/.test(pair.recorded));
  if (first.isAll || texts.length === 0) return first;
  const bound = replaced(recorded, new Map(texts.map((pair) => [pair.recorded, pair.now])));
  const rest = pairParts(bound, now, { name: '', toPlace });
  return { pairs: [...first.pairs, ...rest.pairs], isAll: rest.isAll };
};

/** Members that hold ids of any form: a model chooses those of Codex. Source: Agent Client Protocol 1, ToolCallId, MessageId, TerminalId. */
const OF_AGENT = [
  { method: /^session\//, members: new Set(['toolCallId', 'messageId', 'terminalId']) },
  { method: /^codex\/event$/, members: new Set(['call_id']) },
  { method: /^elicitation\/create$/, members: new Set(['codex_call_id']) },
];

/** How names of members are judged in a message. */
const placesIn = (message: unknown): Place['toPlace'] => {
  const method = wordOf(toObject(message).method);
  const members = OF_AGENT.find((one) => one.method.test(method))?.members;
  return (name) => (members?.has(name) === true ? 'opaque' : placeOf(name));
};

/** The member that a part is in, and how names of members are judged. */
type Place = { name: string; toPlace: (name: string) => IdPlace };

const NONE: PairedIds = { pairs: [], isAll: true };
const DIFFERENT: PairedIds = { pairs: [], isAll: false };

const pairParts = (recorded: unknown, now: unknown, place: Place): PairedIds => {
  const { name, toPlace } = place;
  if (Object.is(recorded, now)) return NONE;
  if (typeof recorded === 'string' && typeof now === 'string')
    return pairOf(recorded, now, toPlace(name)) ?? pairWords(recorded, now);
  if (typeof recorded === 'number' && typeof now === 'number')
    return pairOf(String(recorded), String(now), toPlace(name)) ?? DIFFERENT;
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const parts = recorded.map((one, i) => pairParts(one, now[i], place));
    return joined(parts, recorded.length === now.length);
  }
  return isObject(recorded) && isObject(now) ? pairMembers([recorded, now], toPlace) : DIFFERENT;
};

const pairMembers = ([recorded, now]: readonly [JsonObject, JsonObject], toPlace: Place['toPlace']): PairedIds => {
  const names = Object.keys(recorded);
  const parts = names
    .filter((name) => name in now)
    .map((name) => pairParts(recorded[name], now[name], { name, toPlace }));
  return joined(parts, parts.length === names.length && names.length === Object.keys(now).length);
};

const joined = (parts: readonly PairedIds[], isWhole: boolean): PairedIds => ({
  pairs: parts.flatMap(({ pairs }) => pairs),
  isAll: isWhole && parts.every(({ isAll }) => isAll),
});

const pairOf = (recorded: string, now: string, place: IdPlace): PairedIds | undefined =>
  isNewId(recorded, now, place) ? { pairs: [{ recorded, now }], isAll: true } : undefined;

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
