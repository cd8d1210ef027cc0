/** Makes the line that a recorded client line becomes against another server, and learns the values that this server uses. */

import { isObject } from '../../protocol/jsonrpc/json';
import { idKey } from '../../protocol/jsonrpc/messages';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { withRequestId } from '../../protocol/jsonrpc/requestNames';
import { toJson } from '../../protocol/jsonrpc/toJson';
import { bindHandles } from '../handles/bindHandles';
import { replaceHandles } from '../handles/replaceHandles';
import { ALL_MASKS, toMask } from '../matching/mask';
import { toCanonical } from '../matching/matchKey';
import { toPairingKey } from '../session/pairingKey';
import type { ClientLine } from '../session/sessionIndex';
import { itemAt, withItem } from '../session/sparseArray';
import type { ClientPlan } from './clientPlan';
import type { PlayingClient } from './clientPlayback';

/** Binds the texts in a received line to the handles in the recorded line of its kind. */
export const bindReceived = (
  { kinds, handles }: ClientPlan,
  state: PlayingClient,
  { value, message }: { value: unknown; message: TapeMessage | undefined },
): PlayingClient => {
  const kind = message && kinds.get(toPairingKey(message).key);
  if (kind === undefined) return state;
  const count = itemAt(state.received, kind.id) ?? 0;
  const bound = bindHandles(handles, kind.values[count], value).reduce<PlayingClient['bound']>(
    (known, { id, text }) => (itemAt(known, id) === undefined ? withItem(known, id, text) : known),
    state.bound,
  );
  return { ...state, received: withItem(state.received, kind.id, count + 1), bound };
};

/** The line of a recorded client line with the handles of this server; as it was recorded where none differs. */
const withBound = ({ handles }: ClientPlan, bound: PlayingClient['bound'], { line, value }: ClientLine): string => {
  const replaced = replaceHandles(handles, value, ({ id }) => itemAt(bound, id));
  return replaced === value || toCanonical(replaced) === toCanonical(value) ? line : toJson(replaced);
};

/** The line to send. A response goes to the open request that is most like the recorded one. */
export const toSentLine = (plan: ClientPlan, { bound, openRequests }: PlayingClient, recorded: ClientLine) => {
  const line = withBound(plan, bound, recorded);
  const original = plan.index.serverLines[recorded.answers ?? -1]?.messages[0];
  if (original?.kind !== 'request') return { line, openRequests };
  const same = openRequests.filter(({ method }) => method === original.method);
  const request = same.find(({ params }) => isAlike(params, original.params)) ?? same[0];
  if (request === undefined) return { line, openRequests };
  const others = openRequests.filter((open) => open !== request);
  if (idKey(request.id) === idKey(original.id)) return { line, openRequests: others };
  const value: unknown = JSON.parse(line);
  return { line: isObject(value) ? toJson(withRequestId(value, request.id)) : line, openRequests: others };
};

const mask = toMask(ALL_MASKS);
const isAlike = (a: unknown, b: unknown): boolean => toCanonical(mask(a)) === toCanonical(mask(b));
