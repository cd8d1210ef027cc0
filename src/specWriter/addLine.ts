/** Owns writing one line of either side as a marble: its message without the numbers of its run, its letter. */

import type { Marble } from '../marbles';
import { isObject, type RequestId } from '../protocol/jsonrpc';
import {
  ANY_ID,
  eventTypeOf,
  freshIds,
  type LetteredRequest,
  labelOf,
  letterOf,
  lettersIn,
  type ParsedLine,
  parseLine,
  requestAnsweredBy,
  type TapeMessage,
  toCanonical,
  withFreshIds,
  withLetters,
} from '../session';
import type { Holes } from './holes';
import { type Letters, takeLetter } from './letters';

/** A part that is being written. `calls`: a call is in it. */
export type Phase = {
  name: string;
  client: Marble[];
  server: Marble[][];
  values: [string, unknown][];
  frames: number;
  calls: boolean;
};

/** What has been written, with the requests that it may name. */
export type Writing = {
  holes: Holes;
  letters: Letters;
  requests: LetteredRequest[];
  questions: LetteredRequest[];
  phases: Phase[];
};

/** Writes a line of the client. */
export const addClient = (writing: Writing, phase: Phase, spoken: ParsedLine): void => {
  const { requests, questions, letters } = writing;
  const open = requests.filter((one) => one.open);
  const nextId = freshIds(requests);
  const isPlain = (id: unknown): boolean => id === nextId();
  const isExact = spoken.messages.some((word) => word.kind === 'request' && typeof word.id === 'bigint');
  const lettered = isExact ? spoken.line : withLetters(spoken, questions, requests); // a number would lose digits
  const value = writing.holes.ofClient(withPlainIds(lettered, isPlain));
  const answered = lettersIn(asSpoken(value)).answers;
  const { letter, isNew } = takeLetter(
    letters,
    'client',
    toCanonical(value),
    `${answered.join('').toLowerCase()}${wantedFor(spoken.messages[0])}`,
    open.map((one) => one.letter),
  );
  if (isNew) phase.values.push([letter, value]);
  phase.client.push({ frame: phase.frames, symbol: letter });
  for (const word of spoken.messages) {
    if (word.kind === 'request') requests.push({ letter, id: word.id, open: true });
    close(questions, word);
  }
};

/** Writes a line of the server. */
export const addServer = (writing: Writing, phase: Phase, spoken: ParsedLine, lane: number): void => {
  const { requests, questions, letters } = writing;
  const value = writing.holes.ofServer(withPlainIds(withLetters(spoken, requests, requests), () => true));
  const answered = lettersIn(asSpoken(value)).answers;
  const { letter, isNew } = takeLetter(
    letters,
    'server',
    toCanonical(value),
    `${answered.join('')}${wantedFor(spoken.messages[0])}`,
    questions.filter((one) => one.open).map((one) => one.letter),
  );
  if (isNew) phase.values.push([letter, value]);
  while (phase.server.length <= lane) phase.server.push([]);
  phase.server[lane]?.push({ frame: phase.frames, symbol: letter });
  for (const word of spoken.messages) {
    if (word.kind === 'request') questions.push({ letter, id: word.id, open: true });
    close(requests, word);
  }
};

const asSpoken = (value: unknown): ParsedLine => parseLine(typeof value === 'string' ? value : JSON.stringify(value));

const close = (asked: readonly LetteredRequest[], word: TapeMessage): void => {
  const found = word.kind === 'response' && word.id !== null && requestAnsweredBy(asked, word.id);
  if (found) found.open = false;
};

/** A request whose id says nothing takes any: one of the server's, and one of the client's that counts on. */
const withPlainIds = (value: unknown, isPlain: (id: RequestId) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((part) => withPlainIds(part, isPlain));
  if (!isObject(value) || typeof value.method !== 'string' || letterOf(value.id) !== undefined) return value;
  return 'id' in value && isPlain(value.id as RequestId) ? withFreshIds({ ...value, id: ANY_ID }, () => ANY_ID) : value;
};

/** The letters of what a message is called by, its last word first. */
const wantedFor = (word: TapeMessage | undefined): string => {
  if (word === undefined || !('method' in word)) return '';
  const name = word.kind === 'notification' ? eventTypeOf(word.params) || word.method : labelOf(word);
  return (name.split(/[/ ]/).at(-1) ?? '').replace(/[^a-zA-Z]/g, '');
};
