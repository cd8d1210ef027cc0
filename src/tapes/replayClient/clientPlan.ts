/** Prepares a recording for being played as a client: what is the same for every run. */

import { type Handles, toHandles } from '../handles/handles';
import { type PairingKey, toPairingKey } from '../session/pairingKey';
import type { SessionIndex } from '../session/sessionIndex';
import { type Pace, toPauses } from './pauses';

/**
 * Messages of the server that are counted together. `id` counts the kinds from 0; `values` are those of the recorded lines whose first message
 * is of this kind. The client cannot continue without a `required` message.
 */
export type MessageKind = { id: number; required: boolean; values: readonly unknown[] };

/** `kinds` are by key, `kindsOf` those of each server line; `handles` are what the client sends back; `pauses` come after each client line, in ms. */
export type ClientPlan = {
  index: SessionIndex;
  kinds: ReadonlyMap<string, MessageKind>;
  kindsOf: readonly (readonly MessageKind[])[];
  handles: Handles;
  pauses: readonly number[];
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
