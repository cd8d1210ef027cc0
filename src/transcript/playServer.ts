/** Owns playing the server's half: each line of the client makes lines of the recording come. When they leave is not here. */
import type { RequestId } from '../protocol';
import { matchKey } from './matchKey';
import { nearest, toGuess, toMiss } from './miss';
import { answerQuestion } from './playAnswer';
import { type Played, toError, toLine } from './played';
import { END_KEY, type Recording } from './recording';
import { arrive, openRound, type Round, takeLine, takeUnheard, unheardLines } from './round';
import { labelOf, type Spoken, toSpoken, type Word } from './words';

/**
 * `again`: when a line was said as often as it is recorded, the recording begins anew. `nearest`: where no line has the
 * same params, the one that differs least will do.
 */
export type PlayOptions = { repeat: 'once' | 'again'; match: 'strict' | 'nearest' };

/** The newest playing comes first; older ones stay while they have questions that are open. */
export type Playing = { recording: Recording; rounds: Round[]; options: PlayOptions; out: Played[] };

/** Begins to play; `out` is what is told before the client says a word. */
export const startPlaying = (recording: Recording, options: PlayOptions, atMs: number): Playing => {
  const { round, released } = openRound(recording, atMs);
  return { recording, rounds: [round], options, out: released.map(toLine) };
};

/** One line of the client. The rounds change in place; `out` is what follows from this line. */
export const playLine = (playing: Playing, line: string, atMs: number): Playing => {
  if (line.trim() === '') return { ...playing, out: [] };
  const spoken = toSpoken(line);
  const out = answerQuestion(playing.rounds, spoken, atMs) ?? sayLine(playing, spoken, atMs);
  return { ...playing, out };
};

/** The end of the client's input. */
export const playEnd = (playing: Playing, atMs: number): Playing => {
  const out = playing.rounds.flatMap((round) => {
    const index = takeUnheard(round, END_KEY);
    return index === undefined ? [] : arrive(round, index, [], atMs).map(toLine);
  });
  return { ...playing, out: [...out, ...toRest(playing)] };
};

const sayLine = (playing: Playing, spoken: Spoken, atMs: number): Played[] => {
  const [current] = playing.rounds as [Round];
  const key = matchKey(spoken.line, spoken.words, recordedId(current));
  const strict = (round: Round): Found | undefined => {
    const index = takeUnheard(round, key);
    return index === undefined ? undefined : { index, told: [] };
  };
  const finders = playing.options.match === 'strict' ? [strict] : [strict, guess(spoken)];
  for (const find of finders) {
    const out = play(current, spoken, find, atMs) ?? playAnew(playing, spoken, find, atMs);
    if (out) return out;
  }
  return spoken.words.flatMap((word) => toMissed(playing.recording, word));
};

/** A recorded line that stands for the one that came, and what is said about it. */
type Found = { index: number; told: Played[] };
type Find = (round: Round) => Found | undefined;

const play = (round: Round, { words }: Spoken, find: Find, atMs: number): Played[] | undefined => {
  const found = find(round);
  return found && [...found.told, ...arrive(round, found.index, words, atMs).map(toLine)];
};

/** A new playing takes the place of the current one, when it has what is looked for. */
const playAnew = (playing: Playing, spoken: Spoken, find: Find, atMs: number): Played[] | undefined => {
  if (playing.options.repeat === 'once') return undefined;
  const { round, released } = openRound(playing.recording, atMs);
  const out = play(round, spoken, find, atMs);
  if (out) playing.rounds = [round, ...playing.rounds.filter(({ asked }) => asked.size > 0)];
  return out && [...released.map(toLine), ...out];
};

/** The line of the same method and tool that differs least, told as what it is. */
const guess =
  ({ words }: Spoken): Find =>
  (round) => {
    const [word] = words;
    if (word === undefined || words.length > 1) return undefined;
    const alike = unheardLines(round).filter((line) => labelOf(line.words[0]) === labelOf(word));
    const near = nearest(alike, word);
    return near && { index: takeLine(round, near.heard), told: [{ kind: 'guess', text: toGuess(word, near) }] };
  };

/** What an id of the client was in the recording. */
const recordedId =
  ({ arrivals }: Round) =>
  (id: RequestId): RequestId =>
    arrivals.flatMap((arrival) => arrival?.renamings ?? []).find(({ by, now }) => by === 'id' && now === id)
      ?.recorded ?? id;

const toMissed = (recording: Recording, word: Word): Played[] => {
  const { message, data } = toMiss(recording, word);
  const trouble: Played = { kind: 'trouble', text: message };
  return word.kind === 'request' ? [trouble, toError(word.id, message, data)] : [trouble];
};

const toRest = ({ rounds: [current] }: Playing): Played[] => {
  const left = current?.recording.heard.filter(({ key }, i) => !current.arrivals[i] && key !== END_KEY) ?? [];
  const [first] = left;
  if (first === undefined) return [];
  const text = `${left.length} recorded lines of the client never came, the first is line ${first.lineNumber}: ${labelOf(first.words[0])}`;
  return [{ kind: 'rest', text }];
};
