/** Owns what has been played of a session so far, and what the client may therefore say. Waiting is not here. */
import {
  ANY_ID,
  fillHoles,
  fitsHoles,
  freshIds,
  type HoleValues,
  joinDeltas,
  type LetteredRequest,
  lettersIn,
  type ParsedLine,
  parseLine,
  requestAnsweredBy,
  toPairingKey,
  withFreshIds,
  withHoleValues,
  withLetters,
  withRequestIds,
} from '../session';
import type { Note, Score } from './score';

/** A line of the server: its value with letters for ids, and when it came. */
export type Heard = { frame: number; value: unknown };

/**
 * `said` counts the client's notes that were said; `claimed` are the server's that have come. `requests` are the client's,
 * `questions` the server's. `heard` is by line of the score. `out` is what the client says now.
 */
export type Play = {
  score: Score;
  said: number;
  claimed: Set<Note>;
  requests: LetteredRequest[];
  questions: LetteredRequest[];
  known: HoleValues;
  heard: Heard[][];
  out: string[];
};

/** A session of which nothing was played. */
export const openPlay = (score: Score): Play => ({
  score,
  said: 0,
  claimed: new Set(),
  requests: [],
  questions: [],
  known: new Map(),
  heard: score.server.map(() => []),
  out: [],
});

/** A line of the server came. */
export const hear = (play: Play, line: string, frame: number): void => {
  if (line.trim() === '') return;
  const spoken = parseLine(line);
  const value = withLetters(spoken, play.requests, play.requests);
  for (const message of spoken.messages) {
    const found = message.kind === 'response' && message.id !== null && requestAnsweredBy(play.requests, message.id);
    if (found) found.open = false;
  }
  const { part, note } = goesOn(play, value) ?? claim(play, value);
  play.heard[part]?.push({ frame, value });
  if (note === undefined) return;
  play.claimed.add(note);
  for (const message of spoken.messages) {
    if (message.kind === 'request') play.questions.push({ letter: note.letter, id: message.id, open: true });
  }
};

/** The line of the score whose last delta a message goes on with; it plays no note of its own. */
const goesOn = ({ heard }: Play, value: unknown): { part: number; note?: Note } | undefined => {
  const part = heard.findIndex((lane) => {
    const last = lane.at(-1);
    return last !== undefined && joinDeltas([last, { frame: 0, value }]).length === 1;
  });
  return part === -1 ? undefined : { part };
};

/** How far ahead a message may have come of its place. */
const MAX_AHEAD = 64;

/** The note that a message plays: the first that it fits, else the first of its sort, whose holes are filled as far as can be. */
const claim = ({ score, claimed, known }: Play, value: unknown): { part: number; note?: Note } => {
  const open = score.server
    .flatMap(({ notes }, part) =>
      notes
        .filter((note) => !claimed.has(note))
        .slice(0, MAX_AHEAD)
        .map((note) => ({ part, note })),
    )
    .sort((a, b) => a.note.frame - b.note.frame);
  const sort = sortKeyOf(parseLine(typeof value === 'string' ? value : JSON.stringify(value)));
  const alike = open.filter(({ note }) => sortKeyOf(note.spoken) === sort);
  const fitting = alike.find(({ note }) => fitsHoles(note.value, value, known));
  const [first] = alike;
  if (fitting === undefined && first) fillHoles(first.note.value, value, known);
  return fitting ?? first ?? { part: Math.max(0, partOfSort(score, sort)) };
};

const partOfSort = ({ server }: Score, sort: string): number =>
  server.findIndex(({ notes }) => notes.some(({ spoken }) => sortKeyOf(spoken) === sort));

const sortKeyOf = ({ messages }: ParsedLine): string => messages.map((message) => toPairingKey(message).key).join('\n');

/** The frame of the first note of the server that has not come. */
const firstOpen = ({ score, claimed }: Play): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...score.server.map(({ notes }) => notes.find((note) => !claimed.has(note))?.frame ?? Number.POSITIVE_INFINITY),
  );

/** Whether all of the server's notes before a frame have come. */
export const hasHeardBefore = (play: Play, frame: number): boolean => firstOpen(play) >= frame;

/** Says the client's next note; false when what it refers to has not come. */
export const say = (play: Play): boolean => {
  const note = play.score.client.notes[play.said] as Note;
  const line = toLine(play, note);
  if (line === undefined) return false;
  const { messages } = parseLine(line);
  for (const message of messages) {
    if (message.kind === 'request') play.requests.push({ letter: note.letter, id: message.id, open: true });
  }
  play.said += 1;
  play.out.push(line);
  return true;
};

const toLine = (play: Play, { value, spoken }: Note): string | undefined => {
  const { answers, names } = lettersIn(spoken);
  const questions = answers.map((letter) => play.questions.find((one) => one.open && one.letter === letter));
  const requests = names.map((letter) => play.requests.findLast((one) => one.letter === letter));
  const found = [...questions, ...requests];
  if (!found.every((one) => one !== undefined)) return undefined;
  const fresh = spoken.line.includes(ANY_ID)
    ? parseLine(JSON.stringify(withFreshIds(value, freshIds(play.requests))))
    : spoken;
  const line = withHoleValues(withRequestIds(fresh, new Map(found.map(({ letter, id }) => [letter, id]))), play.known);
  if (line === undefined) return undefined;
  for (const question of questions) if (question) question.open = false;
  return line;
};
