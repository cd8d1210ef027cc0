/** Prepares a recording for being played as a client: what is the same for every run. */
import { type PairingKey, type SessionIndex, toPairingKey, uuidsOf } from '../session';

/**
 * Messages of the server that are counted together. `id` counts them from 0; `lines` are the recorded lines whose first message is
 * such a one. The client cannot continue without a `required` one.
 */
export type MessageKind = { id: number; required: boolean; lines: readonly string[] };

/** `kinds` are by key, `kindsOf` those of each server line; `uuids` counts the UUIDs that the client sends from 0. */
export type ClientPlan = {
  index: SessionIndex;
  kinds: ReadonlyMap<string, MessageKind>;
  kindsOf: readonly (readonly MessageKind[])[];
  uuids: ReadonlyMap<string, number>;
};

/** Makes the plan; linear in the length of the recording. */
export const toClientPlan = (index: SessionIndex): ClientPlan => {
  const keysOf = index.serverLines.map(({ messages }) => messages.map(toPairingKey));
  const kinds = toKinds(index, keysOf);
  const uuids = new Set(index.clientLines.flatMap(({ line }) => uuidsOf(line)));
  return {
    index,
    kinds,
    kindsOf: keysOf.map((keys) => keys.flatMap(({ key }) => kinds.get(key) ?? [])),
    uuids: new Map([...uuids].map((uuid, id) => [uuid, id])),
  };
};

const toKinds = (
  { serverLines }: SessionIndex,
  keysOf: readonly (readonly PairingKey[])[],
): ReadonlyMap<string, MessageKind> => {
  const kinds = new Map<string, { id: number; required: boolean; lines: string[] }>();
  for (const [line, keys] of keysOf.entries()) {
    for (const [part, { key, required }] of keys.entries()) {
      const kind = kinds.get(key) ?? { id: kinds.size, required, lines: [] };
      kinds.set(key, kind);
      if (part === 0) kind.lines.push(serverLines[line]?.line ?? '');
    }
  }
  return kinds;
};
