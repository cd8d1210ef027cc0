/** Owns what a session means: who answered what, and what the client had said by then. Playing it is not here. */
import { idKey, type RequestId } from '../protocol/jsonrpc';
import { INPUT_ENDED, isOnWire, type NumberedEntry, type Session } from '../tape';
import { matchKey } from './matchKey';
import { type ParsedLine, parseLine, type TapeMessage } from './parseLine';
import { nameKey, namesOf, referencesOf } from './requestNames';

/** A line of the client, or the end of its input. `question` is the index of the line of the server that it answers. */
export type HeardLine = { lineNumber: number; t: number; key: string; question?: number } & ParsedLine;

/**
 * A line of the server. `owner` is the index of the client's line it belongs to, -1 for none: by a name when it is `tied`,
 * else the one before it. `before` is how many lines
 * the client had said by then. `answered` is the index of the client's line that answers it.
 */
export type ToldLine = {
  lineNumber: number;
  t: number;
  owner: number;
  tied: boolean;
  before: number;
  answered?: number;
} & ParsedLine;

/** A session in order: the lines of both sides, each counted from 0. */
export type Recording = { heard: HeardLine[]; told: ToldLine[] };

/** The key of the end of input. */
export const END_KEY = 'end';

type Making = Recording & {
  /** Index of the latest request of a name, and of those of an id that wait for their answers, oldest first. */
  named: Map<string, number>;
  open: Map<string, number[]>;
  /** Index of the server's open questions by id, oldest first. */
  questions: Map<string, number[]>;
};

const identity = (id: RequestId): RequestId => id;

/** Reads a session. Of its seams only the wire counts; blank lines are nothing. */
export const toRecording = ({ entries }: Session): Recording => {
  const making: Making = { heard: [], told: [], named: new Map(), open: new Map(), questions: new Map() };
  for (const numbered of entries) {
    const { entry } = numbered;
    if (!isOnWire(entry)) continue;
    if (entry.dir === 'note' && entry.line === INPUT_ENDED) addEnd(making, numbered);
    if (entry.line.trim() === '') continue;
    if (entry.dir === 'in') addHeard(making, numbered);
    if (entry.dir === 'out') addTold(making, numbered);
  }
  return { heard: making.heard, told: making.told };
};

const addEnd = ({ heard }: Making, { lineNumber, entry: { t, line } }: NumberedEntry): void => {
  heard.push({ lineNumber, t, key: END_KEY, line, value: undefined, messages: [] });
};

const addHeard = (making: Making, { lineNumber, entry: { t, line } }: NumberedEntry): void => {
  const spoken = parseLine(line);
  const index = making.heard.length;
  const [question] = spoken.messages.flatMap((message) => takeQuestion(making, message));
  making.heard.push({ ...spoken, lineNumber, t, key: matchKey(line, spoken.messages, identity), question });
  if (question !== undefined) (making.told[question] as ToldLine).answered = index;
  for (const message of spoken.messages) {
    for (const name of namesOf(message)) making.named.set(nameKey(name), index);
    if (message.kind === 'request') push(making.open, idKey(message.id), index);
  }
};

const takeQuestion = ({ questions }: Making, message: TapeMessage): number[] => {
  const first =
    message.kind === 'response' && message.id !== null ? questions.get(idKey(message.id))?.shift() : undefined;
  return first === undefined ? [] : [first];
};

const addTold = (making: Making, { lineNumber, entry: { t, line } }: NumberedEntry): void => {
  const spoken = parseLine(line);
  const index = making.told.length;
  const [tied] = spoken.messages.flatMap((message) => ownerOf(making, message));
  const before = making.heard.length;
  making.told.push({ ...spoken, lineNumber, t, owner: tied ?? before - 1, tied: tied !== undefined, before });
  for (const message of spoken.messages)
    if (message.kind === 'request') push(making.questions, idKey(message.id), index);
};

/** An answer belongs to the oldest request of its id that still waits; all else to the latest request it names. */
const ownerOf = ({ open, named }: Making, message: TapeMessage): number[] => {
  const waiting = message.kind === 'response' && message.id !== null ? open.get(idKey(message.id))?.shift() : undefined;
  if (waiting !== undefined) return [waiting];
  const found = referencesOf(message).map((name) => named.get(nameKey(name)));
  return found.filter((index) => index !== undefined);
};

const push = (map: Map<string, number[]>, key: string, index: number): void => {
  const known = map.get(key);
  if (known) known.push(index);
  else map.set(key, [index]);
};
