/** Owns writing a session in marbles: phases of at most a line's width, with what their letters stand for. */
import { isObject, type RequestId } from '../../protocol';
import { drawMarbles, endless, type Mark } from '../drawMarbles';
import { ANY_ID, type Asked, answeredBy, letterOf, lettersIn, newIds, toLettered, withIds } from '../letterNames';
import { toCanonical } from '../matchKey';
import { typeOf } from '../sortOf';
import { labelOf, type Spoken, toSpoken, type Word } from '../words';
import type { Line } from './choose';
import { type Holes, toHoles } from './holes';
import { type LanedLine, toLanes } from './lanes';
import { hasFree, keepLetters, type Letters, noLetters, takeLetter } from './letters';

/** A part of a session in marbles. `values` are the letters that mean something new in it. */
export type WrittenPhase = {
  name: string;
  client: string;
  server: string[];
  values: [letter: string, value: unknown][];
};

type Phase = {
  name: string;
  client: Mark[];
  server: Mark[][];
  values: [string, unknown][];
  frames: number;
  calls: boolean;
};

type Writing = {
  holes: Holes;
  letters: Letters;
  requests: Asked[];
  questions: Asked[];
  phases: Phase[];
};

/** A phase that long ends with the next request that comes while nothing is under way; one at its full width ends anywhere. */
const LONG = 24;
const FULL = 88;

/** Writes lines in marbles. @param ending whether the server is known to have ended well behind the client's input */
export const toPhases = (lines: readonly Line[], ending: 'well' | 'unknown'): WrittenPhase[] => {
  const writing: Writing = { holes: toHoles(lines), letters: noLetters(), requests: [], questions: [], phases: [] };
  for (const line of toLanes(lines)) {
    const phase = phaseFor(writing, line);
    if (line.side === 'client') addClient(writing, phase, line.heard);
    else if (line.side === 'server') addServer(writing, phase, line.told, line.lane);
    else phase.client.push({ frame: phase.frames, symbol: '|' });
    if (isCall(line) && !phase.calls) Object.assign(phase, { name: nameOf(line), calls: true });
    phase.frames += 1;
  }
  if (ending === 'well') addEnd(writing.phases.at(-1));
  return writing.phases.map(toWritten);
};

const addEnd = (phase: Phase | undefined): void => {
  if (phase?.client.at(-1)?.symbol !== '|') return;
  phase.server[0] = [...(phase.server[0] ?? []), { frame: phase.frames, symbol: '|' }];
};

/** The phase that a line belongs to; a new one begins where the last is long enough. */
const phaseFor = (writing: Writing, line: LanedLine): Phase => {
  const last = writing.phases.at(-1);
  if (last && !isOver(writing, last, line)) return last;
  const open = [...writing.requests, ...writing.questions].filter((one) => one.open).map(({ letter }) => letter);
  if (!hasFree(writing.letters, FULL / 2)) writing.letters = keepLetters(writing.letters, open);
  const phase = { name: nameOf(line), client: [], server: [], values: [], frames: 0, calls: false };
  writing.phases.push(phase);
  return phase;
};

const isOver = ({ requests, letters }: Writing, { frames }: Phase, line: LanedLine): boolean => {
  if (line.side === 'end') return false;
  if (frames >= FULL || !hasFree(letters, 1)) return true;
  const [word] = line.side === 'client' ? line.heard.words : [];
  if (word?.kind !== 'request' || requests.some(({ open }) => open)) return false;
  return frames >= LONG;
};

/** A phase is named for the first call in it. */
const isCall = (line: LanedLine): boolean =>
  line.side === 'client' && line.heard.words.some((word) => word.kind === 'request' && word.method === 'tools/call');

const nameOf = (line: LanedLine): string => {
  if (line.side === 'end') return 'the end';
  const [word] = line.side === 'client' ? line.heard.words : line.told.words;
  if (word?.kind === 'response') return 'going on';
  return word && 'method' in word ? labelOf(word) : 'lines that are no messages';
};

const addClient = (writing: Writing, phase: Phase, spoken: Spoken): void => {
  const { requests, questions, letters } = writing;
  const open = requests.filter((one) => one.open);
  const nextId = newIds(requests);
  const isPlain = (id: unknown): boolean => id === nextId();
  const isExact = spoken.words.some((word) => word.kind === 'request' && typeof word.id === 'bigint');
  const lettered = isExact ? spoken.line : toLettered(spoken, questions, requests); // a number would lose digits
  const value = writing.holes.ofClient(withPlainIds(lettered, isPlain));
  const answered = lettersIn(asSpoken(value)).answers;
  const { letter, isNew } = takeLetter(
    letters,
    'client',
    toCanonical(value),
    `${answered.join('').toLowerCase()}${wantedFor(spoken.words[0])}`,
    open.map((one) => one.letter),
  );
  if (isNew) phase.values.push([letter, value]);
  phase.client.push({ frame: phase.frames, symbol: letter });
  for (const word of spoken.words) {
    if (word.kind === 'request') requests.push({ letter, id: word.id, open: true });
    close(questions, word);
  }
};

const addServer = (writing: Writing, phase: Phase, spoken: Spoken, lane: number): void => {
  const { requests, questions, letters } = writing;
  const value = writing.holes.ofServer(withPlainIds(toLettered(spoken, requests, requests), () => true));
  const answered = lettersIn(asSpoken(value)).answers;
  const { letter, isNew } = takeLetter(
    letters,
    'server',
    toCanonical(value),
    `${answered.join('')}${wantedFor(spoken.words[0])}`,
    questions.filter((one) => one.open).map((one) => one.letter),
  );
  if (isNew) phase.values.push([letter, value]);
  while (phase.server.length <= lane) phase.server.push([]);
  phase.server[lane]?.push({ frame: phase.frames, symbol: letter });
  for (const word of spoken.words) {
    if (word.kind === 'request') questions.push({ letter, id: word.id, open: true });
    close(requests, word);
  }
};

const asSpoken = (value: unknown): Spoken => toSpoken(typeof value === 'string' ? value : JSON.stringify(value));

const close = (asked: readonly Asked[], word: Word): void => {
  const found = word.kind === 'response' && word.id !== null && answeredBy(asked, word.id);
  if (found) found.open = false;
};

/** A request whose id says nothing takes any: one of the server's, and one of the client's that counts on. */
const withPlainIds = (value: unknown, isPlain: (id: RequestId) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((part) => withPlainIds(part, isPlain));
  if (!isObject(value) || typeof value.method !== 'string' || letterOf(value.id) !== undefined) return value;
  return 'id' in value && isPlain(value.id as RequestId) ? withIds({ ...value, id: ANY_ID }, () => ANY_ID) : value;
};

/** The letters of what a message is called by, its last word first. */
const wantedFor = (word: Word | undefined): string => {
  if (word === undefined || !('method' in word)) return '';
  const name = word.kind === 'notification' ? typeOf(word.params) || word.method : labelOf(word);
  return (name.split(/[/ ]/).at(-1) ?? '').replace(/[^a-zA-Z]/g, '');
};

const toWritten = ({ name, client, server, values }: Phase): WrittenPhase => {
  const lanes = server.length === 0 ? [[]] : server;
  const [first = '', ...others] = drawMarbles([client, ...lanes]).tracks.map(endless);
  return { name, client: first, server: others, values };
};
