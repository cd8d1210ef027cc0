/** Owns one playing of a recording: which lines of the client have come, and which of the server may therefore be told. */

import type { HeardLine, Recording, TapeMessage, ToldLine } from '../session';
import { namesOf, type Renaming } from '../session';

/** A line of the client that came: when, and under which names. */
type Arrival = { atMs: number; renamings: Renaming[] };

/** The lines of one owner in their order; `next` is the first not told yet, `wanted` the client's line that it waits for. */
type Lane = { lines: number[]; next: number; wanted: number };

/** `waiting` holds the lanes by the client's line they wait for; `unheard` the client's lines by key that have not come yet. */
export type PlaybackSession = {
  recording: Recording;
  startMs: number;
  arrivals: (Arrival | undefined)[];
  unheard: Map<string, number[]>;
  waiting: Map<number, Lane[]>;
  lanes: Map<number, Lane>;
  asked: Set<number>;
};

/** A line of the server that may be told now: `afterMs` of the recording after `fromMs` of the present. */
export type ReleasedLine = {
  told: ToldLine;
  index: number;
  renamings: readonly Renaming[];
  fromMs: number;
  afterMs: number;
};

/** A playing from the start, and what is told before the client says a word. */
export const openPlaybackSession = (
  recording: Recording,
  startMs: number,
): { round: PlaybackSession; released: ReleasedLine[] } => {
  const unheard = new Map<string, number[]>();
  recording.heard.forEach(({ key, question }, i) => {
    const known = unheard.get(key);
    if (question !== undefined) return;
    if (known) known.push(i);
    else unheard.set(key, [i]);
  });
  const round: PlaybackSession = {
    recording,
    startMs,
    arrivals: [],
    unheard,
    waiting: new Map(),
    lanes: toLanes(recording),
    asked: new Set(),
  };
  return { round, released: inOrder([...round.lanes.values()].flatMap((lane) => advance(round, lane))) };
};

const toLanes = ({ told }: Recording): Map<number, Lane> => {
  const lanes = new Map<number, Lane>();
  told.forEach(({ owner }, i) => {
    const lane = lanes.get(owner);
    if (lane) lane.lines.push(i);
    else lanes.set(owner, { lines: [i], next: 0, wanted: Math.max(0, owner) });
  });
  return lanes;
};

/** The client's line `index` has come as `words`. Gives what may be told now, in recorded order. */
export const receiveLine = (
  round: PlaybackSession,
  index: number,
  words: readonly TapeMessage[],
  atMs: number,
): ReleasedLine[] => {
  const recorded = (round.recording.heard[index]?.messages ?? []).flatMap(namesOf);
  const now = words.flatMap(namesOf);
  const renamings = recorded.flatMap(({ by, name }, i) => {
    const other = now[i];
    return other?.by === by ? [{ by, recorded: name, now: other.name }] : [];
  });
  round.arrivals[index] = { atMs, renamings };
  const lanes = round.waiting.get(index) ?? [];
  round.waiting.delete(index);
  return inOrder(lanes.flatMap((lane) => advance(round, lane)));
};

/** Lines of one owner wait for ever more, so only the first can be the next. */
const advance = (round: PlaybackSession, lane: Lane): ReleasedLine[] => {
  const released: ReleasedLine[] = [];
  for (;;) {
    const index = lane.lines[lane.next];
    const told = index === undefined ? undefined : round.recording.told[index];
    if (index === undefined || told === undefined) return released;
    while (lane.wanted < told.before && round.arrivals[lane.wanted]) lane.wanted += 1;
    if (lane.wanted < told.before) {
      round.waiting.set(lane.wanted, [...(round.waiting.get(lane.wanted) ?? []), lane]);
      return released;
    }
    released.push(release(round, told, index));
    lane.next += 1;
  }
};

const release = (round: PlaybackSession, told: ToldLine, index: number): ReleasedLine => {
  const anchor = round.recording.heard[told.before - 1];
  const from = round.arrivals[told.before - 1];
  if (told.messages.some(({ kind }) => kind === 'request')) round.asked.add(index);
  return {
    told,
    index,
    renamings: round.arrivals[told.owner]?.renamings ?? [],
    fromMs: from?.atMs ?? round.startMs,
    afterMs: Math.max(0, told.t - (anchor?.t ?? 0)),
  };
};

const inOrder = (released: ReleasedLine[]): ReleasedLine[] => released.sort((a, b) => a.index - b.index);

/** Takes the first line of the client with this key that has not come yet. */
export const takeUnheard = ({ unheard }: PlaybackSession, key: string): number | undefined => unheard.get(key)?.shift();

/** The client's lines that have not come yet; without those that answer a question. */
export const unheardLines = ({ recording, arrivals }: PlaybackSession): HeardLine[] =>
  recording.heard.filter(({ question }, i) => question === undefined && !arrivals[i]);

/** Takes one of these lines. */
export const takeLine = ({ recording, unheard }: PlaybackSession, line: HeardLine): number => {
  const index = recording.heard.indexOf(line);
  unheard.set(line.key, unheard.get(line.key)?.filter((one) => one !== index) ?? []);
  return index;
};

/** Nothing more is told of what belongs to this line of the client. */
export const mute = ({ lanes }: PlaybackSession, owner: number): void => {
  const lane = lanes.get(owner);
  if (lane) lane.next = lane.lines.length;
};
