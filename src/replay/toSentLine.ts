/** Makes the line that a recorded client line becomes against another server, and learns what stands for recorded values. */
import { idKey, isObject, toJson } from '../protocol/jsonrpc';
import {
  ALL_MASKS,
  type ClientLine,
  type TapeMessage,
  toCanonical,
  toMask,
  toPairingKey,
  uuidsOf,
  withUuids,
} from '../session';
import type { ClientPlan } from './clientPlan';
import type { PlayingClient } from './clientPlayback';
import { itemAt, withItem } from './sparseArray';

/** The UUIDs of a line stand for those of the recorded line of its kind, in their order. */
export const bindUuids = (
  { kinds, uuids }: ClientPlan,
  state: PlayingClient,
  { line, message }: { line: string; message: TapeMessage | undefined },
): PlayingClient => {
  const kind = message && kinds.get(toPairingKey(message).key);
  if (kind === undefined) return state;
  const count = itemAt(state.received, kind.id) ?? 0;
  const [recorded, now] = [uuidsOf(kind.lines[count] ?? ''), uuidsOf(line)];
  const pairs = recorded.length === now.length ? recorded.map((uuid, i) => [uuids.get(uuid), now[i]] as const) : [];
  const bound = pairs.reduce<PlayingClient['bound']>(
    (known, [id, uuid]) => (id === undefined || itemAt(known, id) !== undefined ? known : withItem(known, id, uuid)),
    state.bound,
  );
  return { ...state, received: withItem(state.received, kind.id, count + 1), bound };
};

/** A response goes to the open request that is most like the recorded one. */
export const toSentLine = (plan: ClientPlan, { bound, openRequests }: PlayingClient, recorded: ClientLine) => {
  const line = withUuids(recorded.line, (uuid) => itemAt(bound, plan.uuids.get(uuid) ?? -1));
  const original = plan.index.serverLines[recorded.answers ?? -1]?.messages[0];
  if (original?.kind !== 'request') return { line, openRequests };
  const same = openRequests.filter(({ method }) => method === original.method);
  const request = same.find(({ params }) => isAlike(params, original.params)) ?? same[0];
  if (request === undefined) return { line, openRequests };
  const others = openRequests.filter((open) => open !== request);
  if (idKey(request.id) === idKey(original.id)) return { line, openRequests: others };
  const value: unknown = JSON.parse(line);
  return { line: isObject(value) ? toJson({ ...value, id: request.id }) : line, openRequests: others };
};

const mask = toMask(ALL_MASKS);
const isAlike = (a: unknown, b: unknown): boolean => toCanonical(mask(a)) === toCanonical(mask(b));
