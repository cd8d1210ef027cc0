/** Owns playing the server's half: each line of the client makes lines of the recording come. When they leave is not here. */
import type { RequestId } from '../protocol/jsonrpc';
import { END_KEY, labelOf, matchKey, type ParsedLine, parseLine, type Recording, type TapeMessage } from '../session';
import { type PlaybackEvent, toError, toLine } from './playbackEvent';
import {
  openPlaybackSession,
  type PlaybackSession,
  receiveLine,
  takeLine,
  takeUnheard,
  unheardLines,
} from './playbackSession';
import { receiveResponse } from './receiveResponse';
import { nearestLine, toGuess, toUnrecorded } from './unrecorded';

/**
 * `again`: when a line was said as often as it is recorded, the recording begins anew. `nearest`: where no line has the
 * same params, the one that differs least will do.
 */
export type PlayOptions = { repeat: 'once' | 'again'; match: 'strict' | 'nearest' };

/** The newest playing comes first; older ones stay while they have questions that are open. */
export type ServerPlayback = {
  recording: Recording;
  rounds: PlaybackSession[];
  options: PlayOptions;
  out: PlaybackEvent[];
};

/** Begins to play; `out` is what the server sends before the first line of the client. */
export const startPlaying = (recording: Recording, options: PlayOptions, atMs: number): ServerPlayback => {
  const { round, released } = openPlaybackSession(recording, atMs);
  return { recording, rounds: [round], options, out: released.map(toLine) };
};

/** One line of the client. The rounds change in place; `out` is what follows from this line. */
export const playLine = (playing: ServerPlayback, line: string, atMs: number): ServerPlayback => {
  if (line.trim() === '') return { ...playing, out: [] };
  const spoken = parseLine(line);
  const out = receiveResponse(playing.rounds, spoken, atMs) ?? sayLine(playing, spoken, atMs);
  return { ...playing, out };
};

/** The end of the client's input. */
export const playEnd = (playing: ServerPlayback, atMs: number): ServerPlayback => {
  const out = playing.rounds.flatMap((round) => {
    const index = takeUnheard(round, END_KEY);
    return index === undefined ? [] : receiveLine(round, index, [], atMs).map(toLine);
  });
  return { ...playing, out: [...out, ...toRest(playing)] };
};

const sayLine = (playing: ServerPlayback, spoken: ParsedLine, atMs: number): PlaybackEvent[] => {
  const [current] = playing.rounds as [PlaybackSession];
  const key = matchKey(spoken.line, spoken.messages, recordedId(current));
  const strict = (round: PlaybackSession): Found | undefined => {
    const index = takeUnheard(round, key);
    return index === undefined ? undefined : { index, told: [] };
  };
  const finders = playing.options.match === 'strict' ? [strict] : [strict, guess(spoken)];
  for (const find of finders) {
    const out = play(current, spoken, find, atMs) ?? playAnew(playing, spoken, find, atMs);
    if (out) return out;
  }
  return spoken.messages.flatMap((message) => toMissed(playing.recording, message));
};

/** A recorded line that stands for the one that came, and what is said about it. */
type Found = { index: number; told: PlaybackEvent[] };
type Find = (round: PlaybackSession) => Found | undefined;

const play = (
  round: PlaybackSession,
  { messages }: ParsedLine,
  find: Find,
  atMs: number,
): PlaybackEvent[] | undefined => {
  const found = find(round);
  return found && [...found.told, ...receiveLine(round, found.index, messages, atMs).map(toLine)];
};

/** A new playing takes the place of the current one, when it has what is looked for. */
const playAnew = (
  playing: ServerPlayback,
  spoken: ParsedLine,
  find: Find,
  atMs: number,
): PlaybackEvent[] | undefined => {
  if (playing.options.repeat === 'once') return undefined;
  const { round, released } = openPlaybackSession(playing.recording, atMs);
  const out = play(round, spoken, find, atMs);
  if (out) playing.rounds = [round, ...playing.rounds.filter(({ asked }) => asked.size > 0)];
  return out && [...released.map(toLine), ...out];
};

/** The line of the same method and tool that differs least, told as what it is. */
const guess =
  ({ messages }: ParsedLine): Find =>
  (round) => {
    const [message] = messages;
    if (message === undefined || messages.length > 1) return undefined;
    const alike = unheardLines(round).filter((line) => labelOf(line.messages[0]) === labelOf(message));
    const near = nearestLine(alike, message);
    return near && { index: takeLine(round, near.heard), told: [{ kind: 'guess', text: toGuess(message, near) }] };
  };

/** What an id of the client was in the recording. */
const recordedId =
  ({ arrivals }: PlaybackSession) =>
  (id: RequestId): RequestId =>
    arrivals.flatMap((arrival) => arrival?.renamings ?? []).find(({ by, now }) => by === 'id' && now === id)
      ?.recorded ?? id;

const toMissed = (recording: Recording, asked: TapeMessage): PlaybackEvent[] => {
  const { message, data } = toUnrecorded(recording, asked);
  const trouble: PlaybackEvent = { kind: 'trouble', text: message };
  return asked.kind === 'request' ? [trouble, toError(asked.id, message, data)] : [trouble];
};

const toRest = ({ rounds: [current] }: ServerPlayback): PlaybackEvent[] => {
  const left = current?.recording.heard.filter(({ key }, i) => !current.arrivals[i] && key !== END_KEY) ?? [];
  const [first] = left;
  if (first === undefined) return [];
  const text = `${left.length} recorded lines of the client never came, the first is line ${first.lineNumber}: ${labelOf(first.messages[0])}`;
  return [{ kind: 'rest', text }];
};
