/** Owns choosing a part of a session: a span of time, a thread. What greets the server always belongs to it. */
import { isObject } from '../protocol/jsonrpc';
import {
  END_KEY,
  type HeardLine,
  nameKey,
  namesOf,
  type Recording,
  referencesOf,
  type ToldLine,
  uuidsOf,
} from '../session';

/** `fromMs` and `toMs` are on the tape's clock, both included; `thread` is a text that stands in what belongs to it. */
export type Choice = { fromMs?: number; toMs?: number; thread?: string };

/** A line of either side, in the order of the tape; `end` is the end of the client's input. */
export type Line =
  | { side: 'client'; heard: HeardLine; index: number }
  | { side: 'server'; told: ToldLine; index: number }
  | { side: 'end'; index: number };

const OPENING = ['initialize', 'notifications/initialized'];

/**
 * The lines of a part: what the client says in it, and all that the server tells because of that, whenever it came.
 * Undefined when there is none but the opening.
 */
export const choose = (recording: Recording, choice: Choice): Line[] | undefined => {
  const heard = chooseHeard(recording, choice);
  const told = recording.told.map((line) => isToldChosen(choice, heard, line));
  if (!recording.heard.some((line, i) => heard.has(i) && !isOpening(line)) && choice.fromMs !== undefined)
    return undefined;
  if (heard.size === 0 && !told.includes(true)) return undefined;
  const lines = [
    ...recording.heard.flatMap((line, index): (Line & { at: number })[] => {
      const at = line.lineNumber;
      if (line.key === END_KEY) return [{ side: 'end', index, at }];
      return heard.has(index) ? [{ side: 'client', heard: line, index, at }] : [];
    }),
    ...recording.told.flatMap((line, index): (Line & { at: number })[] =>
      told[index] ? [{ side: 'server', told: line, index, at: line.lineNumber }] : [],
    ),
  ];
  return lines.sort((a, b) => a.at - b.at);
};

const isOpening = ({ messages }: HeardLine): boolean =>
  messages.some((message) => 'method' in message && OPENING.includes(message.method));

const isInSpan = (t: number, { fromMs = 0, toMs = Number.POSITIVE_INFINITY }: Choice): boolean =>
  t >= fromMs && t <= toMs;

/** The chosen lines of the client, and those that brought about what they refer to, such as the call that began a thread. */
const chooseHeard = (recording: Recording, choice: Choice): Set<number> => {
  const needed = new Set<number>();
  for (;;) {
    const chosen = chosenWith(recording, choice, needed);
    const missing = [...chosen].flatMap((index) => makersOf(recording, index)).filter((maker) => !chosen.has(maker));
    if (missing.length === 0) return chosen;
    for (const maker of missing) needed.add(maker);
  }
};

/** The lines of the client because of which the server first told what this one says again. */
const makersOf = ({ heard, told }: Recording, index: number): number[] =>
  uuidsOf(heard[index]?.line ?? '').flatMap((uuid) => {
    const maker = told.find(({ before, line }) => before <= index && line.includes(uuid));
    const isOwn = heard.slice(0, maker?.before ?? 0).some(({ line }) => line.includes(uuid));
    return maker?.tied && !isOwn ? [maker.owner] : [];
  });

/** An answer goes with its question, a cancel with its request. */
const chosenWith = (recording: Recording, choice: Choice, needed: ReadonlySet<number>): Set<number> => {
  const chosen = new Set<number>();
  const names = new Set<string>();
  recording.heard.forEach((line, i) => {
    if (line.key === END_KEY) return;
    const owner = line.question === undefined ? undefined : recording.told[line.question]?.owner;
    const goesWith =
      owner === undefined
        ? line.messages.flatMap(referencesOf).some((name) => names.has(nameKey(name)))
        : chosen.has(owner);
    const isOwn = owner === undefined && isOfThread(recording, choice, line, i);
    const isInPart = isInSpan(line.t, choice) && (goesWith || isOwn);
    if (!isOpening(line) && !isInPart && !needed.has(i) && !(goesWith && owner !== undefined)) return;
    chosen.add(i);
    for (const name of line.messages.flatMap(namesOf)) names.add(nameKey(name));
  });
  return chosen;
};

const isOfThread = ({ told }: Recording, { thread }: Choice, heard: HeardLine, index: number): boolean =>
  thread === undefined ||
  heard.line.includes(thread) ||
  told.some(({ owner, tied, line }) => tied && owner === index && line.includes(thread));

const isToldChosen = (choice: Choice, heard: ReadonlySet<number>, { owner, tied, t, line }: ToldLine): boolean =>
  tied ? heard.has(owner) : isInSpan(t, choice) && (choice.thread === undefined || line.includes(choice.thread));

const THREAD = ['threadId', 'thread_id', 'session_id', 'sessionId', 'conversationId'];

/** The threads that a session names. */
export const threadsOf = ({ told }: Recording): string[] => {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isObject(value)) return;
    for (const [name, one] of Object.entries(value)) {
      if (THREAD.includes(name) && typeof one === 'string') found.add(one);
      else visit(one);
    }
  };
  for (const { value } of told) visit(value);
  return [...found];
};
