/** Writes names, numbers and legends next to marbles. */

/** The average width of a character of a label, in pixels. */
const NARROW_PX = 6.2;
/** The width of a wide character, in pixels. */
const WIDE_PX = 11;
const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffdc]|\p{Extended_Pictographic}/u;
/** A name that is cut keeps at least this many characters. */
const LEAST = 6;

/** Pixels that a label takes, estimated without a font. */
export const labelWidth = (text: string): number =>
  [...text].reduce((sum, char) => sum + (WIDE.test(char) ? WIDE_PX : NARROW_PX), 0);

/** A text, cut to `room` pixels; undefined if almost nothing would be left. */
export const cutLabel = (text: string, room: number): string | undefined => {
  if (room < LEAST * NARROW_PX) return text.length < LEAST && labelWidth(text) <= room ? text : undefined;
  if (text.length * NARROW_PX <= room && labelWidth(text) <= room) return text;
  const kept = [...text.slice(0, Math.ceil(room / NARROW_PX))];
  while (kept.length > 0 && labelWidth(kept.join('')) + NARROW_PX > room) kept.pop();
  return kept.length < LEAST ? undefined : `${kept.join('')}…`;
};

/** Beginnings that many names share. */
const PREFIX = /^(error: |response to )?(tools\/call )?/;

/** A name without what its lane says already: `status/changed` of `thread/status/changed` on the lane `thread`. */
const withoutKey = (name: string, key: string): string => {
  const rest = name.startsWith(key) && /^[/_]/.test(name.slice(key.length)) ? name.slice(key.length + 1) : '';
  return rest === '' ? name : rest;
};

/**
 * The label for a name: the whole name, else the part that its lane and its kind do not show already, else the beginning of that part; undefined if
 * there is no room.
 * @param key of the lane
 * @param room pixels
 */
export const labelFor = (name: string, key: string, room: number): string | undefined => {
  if (name.length * NARROW_PX <= room && labelWidth(name) <= room) return name;
  const short = withoutKey(name.replace(PREFIX, ''), key);
  return cutLabel(short === '' ? name : short, room);
};

/** Pixels from each item to the next of its lane, or to the end. The items must be in order of `x`. */
export const spaceAfter = (items: readonly { lane: number; x: number }[], endX: number): number[] => {
  const nextX = new Map<number, number>();
  return items
    .toReversed()
    .map(({ lane, x }) => {
      const room = (nextX.get(lane) ?? endX) - x;
      nextX.set(lane, x);
      return room;
    })
    .toReversed();
};

/** The space for the name of a marble, in pixels. */
export type LabelSpace = {
  /** To the next marble of its lane. */
  room: number;
  /** To the bar at which its lane ends. */
  bar: number | undefined;
  /** From the middle of the marble to the name. */
  before: number;
  /** From the name to what follows. */
  behind: number;
};

/** The name next to a marble, and the pixels to it. No name crosses the bar at the end of a lane: if more of it fits after the bar, it stands there. */
export const placeLabel = (
  name: string,
  key: string,
  { room, bar, before, behind }: LabelSpace,
): { text: string; x: number } | undefined => {
  const at = (x: number, toX: number) => {
    const text = labelFor(name, key, toX - x - behind);
    return text === undefined ? undefined : { text, x };
  };
  if (bar === undefined || bar < 0 || bar > room) return at(before, room);
  const [near, far] = [at(before, bar), at(bar + before, room)];
  return (far?.text.length ?? 0) > (near?.text.length ?? 0) ? far : near;
};

/** A name with a marble for each of its letters, in the order in which they came. */
export type LegendEntry<T> = { name: string; signs: T[] };

const RESPONSE = 'response to ';

/**
 * The names of marbles, each once: a request and its response are one entry, whichever side asked.
 *   i initialize, n initialized, I initialize  →  `i I initialize`, `n initialized`
 */
export const legendEntries = <T extends { symbol: string; name: string }>(marbles: Iterable<T>): LegendEntry<T>[] => {
  const entries = new Map<string, Map<string, T>>();
  for (const marble of marbles) {
    const name = marble.name.startsWith(RESPONSE) ? marble.name.slice(RESPONSE.length) : marble.name;
    const signs = entries.get(name) ?? new Map<string, T>();
    entries.set(name, signs);
    if (!signs.has(marble.symbol)) signs.set(marble.symbol, marble);
  }
  return [...entries].map(([name, signs]) => ({ name, signs: [...signs.values()] }));
};

/** A time: `0.4 ms`, `12 ms`, `3.4 s`, `2 min 5 s`. */
export const toTime = (ms: number): string => {
  if (ms < 1) return `${Math.round(ms * 100) / 100} ms`;
  if (ms < 1000) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 60_000) return `${Math.round(ms / 10) / 100} s`;
  return toMinutes(ms);
};

/** A moment of a session: the time since it began, or the time of the day if its picture begins at a date, in ms since 1970. */
export const toMoment = (ms: number, originMs: number | undefined): string =>
  originMs === undefined ? toTime(ms) : new Date(originMs + ms).toISOString().slice(11, 23);

/** A time of a minute or more, in whole seconds: `2 min 5 s`. */
const toMinutes = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** A count short enough for a marble: `999`, `1.2k`, `12k`. */
export const toShortCount = (count: number): string => {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${Math.round(count / 100) / 10}k` : `${Math.round(count / 1000)}k`;
};

/** The smallest of the steps 1, 2, 5, 10, 20, 50 … and their decimal fractions that is not below `least`. */
export const niceStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.001)));
  return ([1, 2, 5].find((nice) => nice * power >= least) ?? 10) * power;
};

/** A time in a picture: `12 ms`, `3.4 s`, `2 min 5 s`. */
export const durationOf = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${Math.round(ms / 100) / 10} s` : toMinutes(ms);
};
