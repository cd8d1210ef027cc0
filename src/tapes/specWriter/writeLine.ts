/** Writes a session as phases of marbles, one line at a time. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { labelOf, type ParsedLine, parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { lazy } from '../../streams/lazy';
import { accentedCapitals, freeLetter, lettersBetween } from '../../streams/marbles/letters';
import { toCanonical } from '../matching/matchKey';
import { eventTypeOf } from '../session/pairingKey';
import type { Side } from '../session/sessionIndex';
import {
  ANY_ID,
  freshIds,
  type LetteredRequest,
  letterOf,
  lettersIn,
  requestAnsweredBy,
  requestsIn,
  withFreshIds,
  withLetters,
} from '../templates/requestLetters';
import { LONG_FRAMES, MAX_FRAMES, openPhase, type Phase, withLine } from './phase';
import type { Holes } from './toHoles';
import type { LanedLine } from './toLanes';

/** What has been written: phases that are complete, the phase that grows, and the requests that later lines may name. */
export type Writing = {
  readonly holes: Holes;
  readonly letters: Letters;
  readonly clientRequests: readonly LetteredRequest[];
  readonly serverRequests: readonly LetteredRequest[];
  readonly complete: readonly Phase[];
  readonly phase?: Phase;
};

/** Nothing has been written. */
export const openWriting = (holes: Holes): Writing => ({
  holes,
  letters: NO_LETTERS,
  clientRequests: [],
  serverRequests: [],
  complete: [],
});

/** The phases that were written, in their order. */
export const phasesOf = ({ complete, phase }: Writing): readonly Phase[] => (phase ? [...complete, phase] : complete);

/** The writing with one more line. */
export const writeLine = (writing: Writing, line: LanedLine): Writing => {
  const started = withPhase(writing, line);
  if (line.side === 'endOfInput') return { ...started, phase: withLine(started.phase, { line, letter: '|' }) };
  return writeMessages(started, line);
};

type Started = Writing & { phase: Phase };
type MessageLine = Exclude<LanedLine, { side: 'endOfInput' }>;

/** The writing with the phase that a line belongs to. A phase begins with letters enough for half of it. */
const withPhase = (writing: Writing, line: LanedLine): Started => {
  const { phase, letters, complete } = writing;
  if (phase && !isComplete(writing, phase, line)) return { ...writing, phase };
  const next = {
    phase: openPhase(line),
    complete: phase ? [...complete, phase] : complete,
    letters: hasFree(letters, MAX_FRAMES / 2) ? letters : keepLetters(letters, openLettersOf(writing)),
  };
  return { ...writing, ...next };
};

const isComplete = ({ clientRequests, letters }: Writing, { frames }: Phase, { side, line }: LanedLine): boolean => {
  if (side === 'endOfInput') return false;
  if (frames >= MAX_FRAMES || !hasFree(letters, 1)) return true;
  if (side !== 'client' || line.messages[0]?.kind !== 'request') return false;
  return frames >= LONG_FRAMES && !clientRequests.some(({ open }) => open);
};

const openLettersOf = ({ clientRequests, serverRequests }: Writing): string[] =>
  [...clientRequests, ...serverRequests].filter(({ open }) => open).map(({ letter }) => letter);

const writeMessages = (writing: Started, written: MessageLine): Writing => {
  const { holes, clientRequests, serverRequests, phase } = writing;
  const { side, line } = written;
  const value = side === 'client' ? holes.ofClient(ofClient(writing, line)) : holes.ofServer(ofServer(writing, line));
  const own = side === 'client' ? clientRequests : serverRequests;
  const inUse = own.filter(({ open }) => open).map((one) => one.letter);
  const request = { side, text: toCanonical(value), preferred: preferredOf(value, line), inUse };
  const { letters, letter, isNew } = takeLetter(writing.letters, request);
  const opened = [...own, ...requestsIn(line, letter)];
  return {
    ...writing,
    letters,
    clientRequests: side === 'client' ? opened : answeredBy(clientRequests, line),
    serverRequests: side === 'client' ? answeredBy(serverRequests, line) : opened,
    phase: withLine(phase, { line: written, letter, ...(isNew && { value: [letter, value] }) }),
  };
};

/** A line with an id that is too large for a number stays text, as it would lose digits. */
const ofClient = ({ clientRequests, serverRequests }: Writing, line: ParsedLine): unknown => {
  const nextId = freshIds(clientRequests);
  const isExact = line.messages.some((message) => message.kind === 'request' && typeof message.id === 'bigint');
  const value = isExact ? line.line : withLetters(line, serverRequests, clientRequests);
  return withAnyIds(value, (id) => id === nextId());
};

const ofServer = ({ clientRequests }: Writing, line: ParsedLine): unknown =>
  withAnyIds(withLetters(line, clientRequests, clientRequests), () => true);

/** The requests of one side after a line of the other: those that it answers are not open any more. */
const answeredBy = (requests: readonly LetteredRequest[], { messages }: ParsedLine): readonly LetteredRequest[] =>
  messages.reduce((before, message) => {
    const answered = message.kind === 'response' && message.id !== null && requestAnsweredBy(before, message.id);
    return answered ? before.map((one) => (one === answered ? { ...one, open: false } : one)) : before;
  }, requests);

/** A request whose own id does not matter gets `<id>`: each of the server, and one of the client that has the next number. */
const withAnyIds = (value: unknown, isAny: (id: RequestId) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((part) => withAnyIds(part, isAny));
  if (!isObject(value) || typeof value.method !== 'string' || letterOf(value.id) !== undefined) return value;
  return 'id' in value && isAny(value.id as RequestId) ? withFreshIds({ ...value, id: ANY_ID }, () => ANY_ID) : value;
};

/** The letters that suit a line, best first: those of the requests that it answers, then those of its name. */
const preferredOf = (value: unknown, { messages }: ParsedLine): string => {
  const { answers } = lettersIn(parseLine(typeof value === 'string' ? value : JSON.stringify(value)));
  return `${answers.join('')}${nameLettersOf(messages[0])}`;
};

/** The letters of the last part of a message's name. */
const nameLettersOf = (message: TapeMessage | undefined): string => {
  if (message === undefined || !('method' in message)) return '';
  const name = message.kind === 'notification' ? eventTypeOf(message.params) || message.method : labelOf(message);
  return (name.split(/[/ ]/).at(-1) ?? '').replace(/[^a-zA-Z]/g, '');
};

/** After the Latin letters come those of Greek and Cyrillic that look like no other. */
const COMMON: Record<Side, readonly string[]> = {
  client: [...'abcdefghijklmnopqrstuvwxyzαβγδεζηθλμξπσφψωбгджзийлпфцчшщыэюя'],
  server: [...'ABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞΠΣΦΨΩБДЖЗИЙЛЦЧШЩЫЭЮЯ'],
};

/** For more messages at once: Latin letters with accents, then syllables of Hangul, which have no capitals. */
const accented = lazy(accentedCapitals);
const moreLetters: Record<Side, () => readonly string[]> = {
  client: lazy(() => [...accented().map((one) => one.toLowerCase()), ...lettersBetween(0xac00, 0xc000)]),
  server: lazy(() => [...accented(), ...lettersBetween(0xc000, 0xd7a4)]),
};

/** The letters that are taken: by the text of their message, and all of them. */
type Letters = { readonly byText: ReadonlyMap<string, string>; readonly taken: ReadonlySet<string> };

/** No letter is taken yet. */
export const NO_LETTERS: Letters = { byText: new Map(), taken: new Set() };

/** Whether at least `count` letters of each side are free. */
export const hasFree = ({ taken }: Letters, count: number): boolean =>
  Object.values(COMMON).every((all) => all.filter((letter) => !taken.has(letter)).length >= count);

/**
 * A message that needs a letter. `text` is the message; `preferred` are letters that suit it, best first; `inUse` are
 * letters of requests that wait for a response, which cannot stand for another request until then.
 */
export type LetterRequest = { side: Side; text: string; preferred: string; inUse: readonly string[] };

/** The letter of a message, and the letters that are taken then; `isNew` when the message had none before. */
type TakenLetter = { letters: Letters; letter: string; isNew: boolean };

/** Gives a message its letter: the one that it has, else a preferred one, else the next that is free. */
export const takeLetter = (letters: Letters, { side, text, preferred, inUse }: LetterRequest): TakenLetter => {
  const known = letters.byText.get(text);
  if (known !== undefined && !inUse.includes(known)) return { letters, letter: known, isNew: false };
  const isTaken = (letter: string): boolean => letters.taken.has(letter);
  const inCase = side === 'client' ? preferred.toLowerCase() : preferred.toUpperCase();
  const letter = freeLetter(COMMON[side], isTaken, inCase) ?? freeLetter(moreLetters[side](), isTaken, '');
  if (letter === undefined) {
    throw new Error('there are more different messages at once than letters: select a part of the session');
  }
  const byText = new Map(letters.byText).set(text, letter);
  return { letters: { byText, taken: new Set(letters.taken).add(letter) }, letter, isNew: true };
};

/** Frees all letters but these; what they stand for is forgotten. */
export const keepLetters = ({ taken }: Letters, kept: readonly string[]): Letters => ({
  byText: new Map(),
  taken: new Set(kept.filter((letter) => taken.has(letter))),
});
