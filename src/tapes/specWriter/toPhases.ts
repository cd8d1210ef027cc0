/** Writes a session as phases of marbles: each line gets a letter (`takeLetter`) and is added to the phase that grows (`writeLine`). */
import { isObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { labelOf, type ParsedLine, parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { lazy } from '../../streams/lazy';
import { drawMarbles, withoutTail } from '../../streams/marbles/drawMarbles';
import { accentedCapitals, freeLetter, lettersBetween } from '../../streams/marbles/letters';
import type { Handles } from '../handles/handles';
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
import { LONG_FRAMES, MAX_FRAMES, openPhase, type Phase, withLine, withServerEnd } from './phase';
import type { SelectedLine } from './selectLines';
import { type Holes, toHoles } from './toHoles';
import { type LanedLine, toLanes } from './toLanes';

/** A part of a session in marbles. */
export type WrittenPhase = {
  name: string;
  client: string;
  /** A row for each lane. */
  server: string[];
  /** The letters that have a new meaning in it. */
  values: Phase['values'];
};

/** Whether the tape shows that the server exited with code 0 after the end of its input. */
type Ending = 'exitedWell' | 'unknown';

/** The phases of a session with these handles. */
export const toPhases = (lines: readonly SelectedLine[], handles: Handles, ending: Ending): WrittenPhase[] =>
  toWrittenPhases(toLanes(lines), toHoles(lines, handles), ending);

/** The phases of lines whose rows and holes are known. */
export const toWrittenPhases = (lines: readonly LanedLine[], holes: Holes, ending: Ending): WrittenPhase[] => {
  const phases = phasesOf(lines.reduce(writeLine, openWriting(holes, idsOf(lines))));
  return phases.map((phase, i) =>
    toWritten(ending === 'exitedWell' && i === phases.length - 1 ? withServerEnd(phase) : phase),
  );
};

/** How the client numbers its requests: if the numbers only rise, a gap between two of them does not matter. */
type Ids = 'rising' | 'any';

const idsOf = (lines: readonly LanedLine[]): Ids => {
  const ids = lines.flatMap(({ side, line }) =>
    side === 'client' ? line.messages.flatMap((one) => (one.kind === 'request' ? [one.id] : [])) : [],
  );
  return ids.every((id, i) => typeof id === 'number' && id > Number(ids[i - 1] ?? -1)) ? 'rising' : 'any';
};

const toWritten = ({ name, client, server, values }: Phase): WrittenPhase => {
  const lanes = server.length === 0 ? [[]] : server;
  const [first = '', ...others] = drawMarbles([client, ...lanes]).tracks.map(withoutTail);
  return { name, client: first, server: others, values };
};

/** What has been written so far. */
export type Writing = {
  readonly holes: Holes;
  readonly ids: Ids;
  readonly letters: Letters;
  /** Requests that later lines may name. */
  readonly clientRequests: readonly LetteredRequest[];
  /** Requests that later lines may name. */
  readonly serverRequests: readonly LetteredRequest[];
  readonly complete: readonly Phase[];
  /** The phase that grows. */
  readonly phase?: Phase;
};

/** Nothing has been written. */
export const openWriting = (holes: Holes, ids: Ids = 'any'): Writing => ({
  holes,
  ids,
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
/** The writing with the phase that a line belongs to. A phase begins with enough free letters for half of it. */
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

const writeMessages = (writing: Started, written: Exclude<LanedLine, { side: 'endOfInput' }>): Writing => {
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
const ofClient = ({ ids, clientRequests, serverRequests }: Writing, line: ParsedLine): unknown => {
  const nextId = freshIds(clientRequests);
  const isExact = line.messages.some((message) => message.kind === 'request' && typeof message.id === 'bigint');
  const value = isExact ? line.line : withLetters(line, serverRequests, clientRequests);
  return withAnyIds(value, (id) => id === nextId() || (ids === 'rising' && clientRequests.length > 0));
};

const ofServer = ({ clientRequests }: Writing, line: ParsedLine): unknown =>
  withAnyIds(withLetters(line, clientRequests, clientRequests), () => true);

/** The requests of one side after a line of the other side, whose responses close some of them. */
const answeredBy = (requests: readonly LetteredRequest[], { messages }: ParsedLine): readonly LetteredRequest[] =>
  messages.reduce((before, message) => {
    const answered = message.kind === 'response' && message.id !== null && requestAnsweredBy(before, message.id);
    return answered ? before.map((one) => (one === answered ? { ...one, open: false } : one)) : before;
  }, requests);

/** A request whose id does not matter gets `<id>`: each request of the server, and a request of the client with a number that follows from the order. */
const withAnyIds = (value: unknown, isAny: (id: RequestId) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((part) => withAnyIds(part, isAny));
  if (!isObject(value) || typeof value.method !== 'string' || letterOf(value.id) !== undefined) return value;
  return 'id' in value && isAny(value.id as RequestId) ? withFreshIds({ ...value, id: ANY_ID }, () => ANY_ID) : value;
};

/** Preferred letters of a line, best first: of the requests that it answers, then of its name. */
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

/** After the Latin letters, letters of Greek and Cyrillic with a shape of their own. */
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

type Letters = {
  /** By the text of their message. */
  readonly byText: ReadonlyMap<string, string>;
  readonly taken: ReadonlySet<string>;
};

/** No letter is taken yet. */
export const NO_LETTERS: Letters = { byText: new Map(), taken: new Set() };

/** Whether at least `count` letters of each side are free. */
export const hasFree = ({ taken }: Letters, count: number): boolean =>
  Object.values(COMMON).every((all) => all.filter((letter) => !taken.has(letter)).length >= count);

/** A message that needs a letter. */
export type LetterRequest = {
  side: Side;
  text: string;
  /** Preferred letters, best first. */
  preferred: string;
  /** Letters of requests without a response, which cannot stand for another request until then. */
  inUse: readonly string[];
};

type TakenLetter = {
  letters: Letters;
  letter: string;
  /** The message had no letter before. */
  isNew: boolean;
};

/** Returns the letter of a message: its existing letter, else the first free preferred letter, else the next free letter. */
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

/** Frees all letters except for these, and forgets what they stand for. */
export const keepLetters = ({ taken }: Letters, kept: readonly string[]): Letters => ({
  byText: new Map(),
  taken: new Set(kept.filter((letter) => taken.has(letter))),
});
