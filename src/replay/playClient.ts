/** Owns playing the client's half: what each line of the server lets it say next. Waiting is not here. */
import { idKey, isObject, toJson } from '../protocol/jsonrpc';
import {
  ALL_MASKS,
  END_KEY,
  type HeardLine,
  type PairingKey,
  parseLine,
  type Recording,
  type TapeMessage,
  toCanonical,
  toMask,
  toPairingKey,
  uuidsOf,
  withUuids,
} from '../session';

/** What moves the client: the start, a line of the server, silence for a while, silence for too long. */
export type PlaybackStep =
  | { kind: 'start' }
  | { kind: 'line'; line: string }
  | { kind: 'impatient' }
  | { kind: 'late' };

type Question = TapeMessage & { kind: 'request' };

/**
 * `next` is the client's line to say, `counted` how many recorded lines of the server must have come before it. A sort's
 * balance is how often it came more than is wanted by now; `hard` and `soft` count what is missing. `questions` are
 * those of the server that wait for an answer; `uuids` are the recorded UUIDs and those that stand for them.
 */
export type ClientPlayback = {
  recording: Recording;
  phase: 'playing' | 'over';
  next: number;
  counted: number;
  balance: Map<string, number>;
  missing: { hard: number; soft: number };
  questions: Question[];
  recordedOf: Map<string, string[]>;
  uuids: Map<string, string>;
  out: string[];
};

/** A client that has said nothing yet. */
export const openClient = (recording: Recording): ClientPlayback => ({
  recording,
  phase: 'playing',
  next: 0,
  counted: 0,
  balance: new Map(),
  missing: { hard: 0, soft: 0 },
  questions: [],
  recordedOf: linesBySort(recording),
  uuids: new Map(),
  out: [],
});

/** The recorded lines that hold UUIDs, by the sort of their first message. */
const linesBySort = ({ told }: Recording): Map<string, string[]> => {
  const lines = new Map<string, string[]>();
  for (const { line, messages } of told) {
    const key = toPairingKey(messages[0] as TapeMessage).key;
    lines.set(key, lines.get(key) ?? []);
    lines.get(key)?.push(line);
  }
  return lines;
};

/** The client after a cue; its maps change in place, `out` is what it says. */
export const playStep = (client: ClientPlayback, cue: PlaybackStep): ClientPlayback => {
  if (cue.kind === 'line') hear(client, cue.line);
  if (cue.kind === 'late') return { ...client, phase: 'over', out: [] };
  if (cue.kind === 'impatient') forgive(client);
  return goOn({ ...client, out: [] });
};

const hear = (client: ClientPlayback, line: string): void => {
  if (line.trim() === '') return;
  const { messages } = parseLine(line);
  learnUuids(client, messages[0] as TapeMessage, line);
  for (const message of messages) {
    weigh(client, toPairingKey(message), 1);
    if (message.kind === 'request') client.questions.push(message);
  }
};

/** A recorded line and one of its sort now name the same things in the same order. */
const learnUuids = ({ recordedOf, uuids }: ClientPlayback, message: TapeMessage, line: string): void => {
  const recorded = uuidsOf(recordedOf.get(toPairingKey(message).key)?.shift() ?? '');
  const now = uuidsOf(line);
  if (recorded.length !== now.length) return;
  recorded.forEach((uuid, i) => {
    if (!uuids.has(uuid)) uuids.set(uuid, now[i] as string);
  });
};

/** A line came (+1) or is wanted by now (-1). */
const weigh = ({ balance, missing }: ClientPlayback, { key, required: hard }: PairingKey, change: 1 | -1): void => {
  const before = balance.get(key) ?? 0;
  balance.set(key, before + change);
  const missed = Math.max(0, -(before + change)) - Math.max(0, -before);
  missing[hard ? 'hard' : 'soft'] += missed;
};

/** Notifications that failed to come are not waited for again. */
const forgive = ({ balance, missing, recording }: ClientPlayback): void => {
  if (missing.soft === 0) return;
  missing.soft = 0;
  for (const { key, required: hard } of recording.told.flatMap(({ messages }) => messages.map(toPairingKey))) {
    if (!hard && (balance.get(key) ?? 0) < 0) balance.set(key, 0);
  }
};

/** Says all that may be said. */
const goOn = (client: ClientPlayback): ClientPlayback => {
  const { heard, told } = client.recording;
  for (;;) {
    const line = heard[client.next];
    for (let i = client.counted; i < told.length && (told[i]?.before ?? 0) <= client.next; i += 1) {
      for (const message of told[i]?.messages ?? []) weigh(client, toPairingKey(message), -1);
      client.counted = i + 1;
    }
    if (client.missing.hard + client.missing.soft > 0) return client;
    if (line === undefined || line.key === END_KEY) return { ...client, phase: 'over' };
    client.out.push(toLine(client, line));
    client.next += 1;
  }
};

/** An answer goes to the question that is most like the recorded one; all else is said as it was recorded. */
const toLine = (client: ClientPlayback, heard: HeardLine): string => {
  const line = withUuids(heard.line, client.uuids);
  const asked = heard.question === undefined ? undefined : client.recording.told[heard.question]?.messages[0];
  if (asked?.kind !== 'request') return line;
  const same = client.questions.filter(({ method }) => method === asked.method);
  const question = same.find(({ params }) => isAlike(params, asked.params)) ?? same[0];
  if (question === undefined) return line;
  client.questions.splice(client.questions.indexOf(question), 1);
  if (idKey(question.id) === idKey(asked.id)) return line;
  const value: unknown = JSON.parse(line);
  return isObject(value) ? toJson({ ...value, id: question.id }) : line;
};

const mask = toMask(ALL_MASKS);
const isAlike = (a: unknown, b: unknown): boolean => toCanonical(mask(a)) === toCanonical(mask(b));
