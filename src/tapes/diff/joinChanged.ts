/** Finds the requests that the client sends with other content in the other session. */

import { withoutRequestNames } from '../../protocol/jsonrpc/requestNames';
import { type Difference, diffJson } from '../../streams/marbles/diffJson';
import { groupBy } from '../session/groupBy';
import type { LanePair } from './pairLanes';
import type { Lane } from './toLanes';

/** `changed` is how the client's line differs, where it is another one in the place of the recorded. */
export type JoinedPair = LanePair & { changed?: readonly Difference[] };

/**
 * Joins the n-th request that only the one session has with the n-th that only the other has, where both are of one method and tool. Then two lanes that
 * have one cause, such as a client with another name, are one difference.
 */
export const joinChanged = (pairs: readonly LanePair[]): JoinedPair[] => {
  const added = pairs.flatMap(({ recorded, now }) => (now && !recorded && isRequest(now) ? [now] : []));
  const byLabel = groupBy(added, ({ label }) => label);
  const partners = new Map<Lane, Lane>();
  for (const { recorded, now } of pairs) {
    const partner = recorded && !now && isRequest(recorded) ? byLabel.get(recorded.label)?.shift() : undefined;
    if (recorded && partner) partners.set(recorded, partner);
  }
  const joined = new Set(partners.values());
  return pairs.flatMap((pair): JoinedPair[] => {
    const now = pair.recorded && partners.get(pair.recorded);
    if (pair.recorded && now) return [{ recorded: pair.recorded, now, changed: changesOf(pair.recorded, now) }];
    return pair.recorded === undefined && pair.now && joined.has(pair.now) ? [] : [pair];
  });
};

const isRequest = ({ client }: Lane): boolean => client?.messages[0]?.kind === 'request';

const changesOf = (recorded: Lane, now: Lane): readonly Difference[] =>
  diffJson(messageOf(recorded), messageOf(now), 'message');

const messageOf = ({ client }: Lane): unknown =>
  client?.value === undefined ? client?.line : withoutRequestNames(client.value);
