/** Owns playing the server's half: each line of the client makes lines of the recording come. When they leave is not here. */
import { idKey, type RequestId, toJson } from '../protocol';
import { diffJson, toDifferenceText } from './diffJson';
import { matchKey, toCanonical } from './matchKey';
import { NOT_RECORDED, nearest, toGuess, toMiss } from './miss';
import { renamed } from './names';
import { END_KEY, type Recording } from './recording';
import { arrive, openRound, type Released, type Round, silence, takeLine, takeUnheard, unheardLines } from './round';
import { labelOf, type Spoken, toSpoken, type Word } from './words';

/** What playing comes to: a line to tell, `trouble` when the client leaves the recording,
 * `guess` when a line is taken for another one, `rest` when it ended before it. */
export type Played =
  | { kind: 'line'; line: string; fromMs: number; afterMs: number }
  | { kind: 'trouble'; text: string }
  | { kind: 'guess'; text: string }
  | { kind: 'rest'; text: string };

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
  const out = answerQuestion(playing, spoken, atMs) ?? sayLine(playing, spoken, atMs);
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

const toLine = ({ told, renamings, fromMs, afterMs }: Released): Played => ({
  kind: 'line',
  line: renamed(told, renamings),
  fromMs,
  afterMs,
});

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

const toError = (id: RequestId, message: string, data?: unknown): Played => ({
  kind: 'line',
  line: toJson({ jsonrpc: '2.0', id, error: { code: NOT_RECORDED, message, data } }),
  fromMs: 0,
  afterMs: 0,
});

/** Undefined when the line answers no question that is open. */
const answerQuestion = (playing: Playing, { words }: Spoken, atMs: number): Played[] | undefined => {
  const [word] = words;
  if (word?.kind !== 'response' || word.id === null) return undefined;
  const key = idKey(word.id);
  for (const round of playing.rounds) {
    const question = [...round.asked].find((index) => asksBy(round, index, key));
    if (question === undefined) continue;
    round.asked.delete(question);
    return checkAnswer(round, question, word, atMs);
  }
  return undefined;
};

const asksBy = ({ recording }: Round, index: number, key: string): boolean =>
  recording.told[index]?.words.some((word) => word.kind === 'request' && idKey(word.id) === key) ?? false;

const checkAnswer = (round: Round, question: number, word: Word & { kind: 'response' }, atMs: number): Played[] => {
  const { told, heard } = round.recording;
  const asked = told[question];
  const recorded = asked?.answered === undefined ? undefined : heard[asked.answered];
  const what = `line ${asked?.lineNumber}: ${labelOf(asked?.words[0])}`;
  if (asked?.answered === undefined || recorded === undefined) {
    return [{ kind: 'trouble', text: `Not recorded: an answer to ${what}; the recorded client gave none` }];
  }
  const before = recorded.words[0];
  const body = before?.kind === 'response' ? before.body : {};
  if (toCanonical(body) === toCanonical(word.body)) return arrive(round, asked.answered, [], atMs).map(toLine);
  const differences = diffJson(body, word.body, 'answer');
  const text = `Not recorded: this answer to ${what}; ${differences.slice(0, 3).map(toDifferenceText).join('; ')}`;
  return [{ kind: 'trouble', text }, ...failOwner(round, asked.owner, text)];
};

/** What was recorded followed from another answer, so the request that it belongs to fails. */
const failOwner = (round: Round, owner: number, text: string): Played[] => {
  silence(round, owner);
  const [word] = round.recording.heard[owner]?.words ?? [];
  if (word?.kind !== 'request') return [];
  const { renamings = [] } = round.arrivals[owner] ?? {};
  return [toError(renamings.find(({ by }) => by === 'id')?.now ?? word.id, text)];
};

const toRest = ({ rounds: [current] }: Playing): Played[] => {
  const left = current?.recording.heard.filter(({ key }, i) => !current.arrivals[i] && key !== END_KEY) ?? [];
  const [first] = left;
  if (first === undefined) return [];
  const text = `${left.length} recorded lines of the client never came, the first is line ${first.lineNumber}: ${labelOf(first.words[0])}`;
  return [{ kind: 'rest', text }];
};
