/** Prepares a recording to be played as a client: what is the same for every run. */
import { type Handles, toHandles } from '../handles/handles';
import { type PairingKey, toPairingKey } from '../session/pairingKey';
import type { ClientLine, SessionIndex } from '../session/sessionIndex';
import { type RecordedPoll, toRecordedPolls } from './repeatPolls';

/** Messages of the server that are counted together. */
export type MessageKind = {
  /** Counts the kinds from 0. */
  id: number;
  /** The client cannot continue without such a message. */
  required: boolean;
  /** The recorded lines whose first message is of this kind. */
  values: readonly unknown[];
};

/** What is known about a recording before it is played. */
export type ClientPlan = {
  index: SessionIndex;
  /** By pairing key. */
  kinds: ReadonlyMap<string, MessageKind>;
  /** The kinds of each server line. */
  kindsOf: readonly (readonly MessageKind[])[];
  /** What the client sends back to the server. */
  handles: Handles;
  /** How long the client waits after each of its lines, in ms. */
  pauses: readonly number[];
  /** Its polls of tasks that are repeated, see `repeatPolls`. */
  polls: ReadonlyMap<string, RecordedPoll>;
};

/** Makes the plan; linear in the length of the recording. */
export const toClientPlan = (index: SessionIndex, pace: Pace = 'max'): ClientPlan => {
  const keysOf = index.serverLines.map(({ messages }) => messages.map(toPairingKey));
  const kinds = toKinds(index, keysOf);
  return {
    index,
    kinds,
    kindsOf: keysOf.map((keys) => keys.flatMap(({ key }) => kinds.get(key) ?? [])),
    handles: toHandles(index),
    pauses: toPauses(index, pace),
    polls: toRecordedPolls(index),
  };
};

const toKinds = (
  { serverLines }: SessionIndex,
  keysOf: readonly (readonly PairingKey[])[],
): ReadonlyMap<string, MessageKind> => {
  const kinds = new Map<string, { id: number; required: boolean; values: unknown[] }>();
  for (const [line, keys] of keysOf.entries()) {
    for (const [part, { key, required }] of keys.entries()) {
      const kind = kinds.get(key) ?? { id: kinds.size, required, values: [] };
      kinds.set(key, kind);
      if (part === 0) kind.values.push(serverLines[line]?.value);
    }
  }
  return kinds;
};

/**
 * How long a client waits between its lines. A number is a multiple of the recorded pace. `needed` waits only after lines that the server does not
 * respond to, as nothing else shows when the server is done with them. `max` does not wait.
 */
export type Pace = number | 'needed' | 'max';

/** Longer pauses come from a person, not from a server. */
const MAX_NEEDED_MS = 1_000;

type Recorded = Pick<SessionIndex, 'clientLines' | 'entries' | 'exit'>;

/** How long the client waits after each of its lines, in ms. */
export const toPauses = ({ clientLines, entries, exit }: Recorded, pace: Pace): number[] => {
  const endMs = exit && entries[exit.entry]?.entry.t;
  return clientLines.map((line, i) => {
    const gapMs = Math.max(0, (clientLines[i + 1]?.t ?? endMs ?? line.t) - line.t);
    if (pace === 'max') return 0;
    if (pace === 'needed') return isUnanswered(line) ? Math.min(gapMs, MAX_NEEDED_MS) : 0;
    return gapMs / pace;
  });
};

const isUnanswered = ({ messages }: ClientLine): boolean => messages.every(({ kind }) => kind !== 'request');
