/** Prepares a recording for being played as a server: what is the same for every playback session. */

import type { RequestId } from '../../protocol/jsonrpc/messages';
import { lazy } from '../../streams/lazy';
import { type Handles, toHandles } from '../handles/handles';
import { matchKey } from '../matching/matchKey';
import { groupBy } from '../session/groupBy';
import type { SessionIndex } from '../session/sessionIndex';

/** The key of the end of the client's input. */
export const END_KEY = 'end';

/** Client lines with one meaning, in their order. `id` counts keys from 0. */
export type KeyedLines = { id: number; lines: readonly number[] };

/**
 * `keyOf` has the key of each client line, undefined for one that answers the server. `linesByKey` has the lines of a
 * key. `lanes` has the server lines by the client line that they belong to, -1 for none. `handles` are found when they are first needed.
 */
export type ServerPlan = {
  index: SessionIndex;
  keyOf: readonly (string | undefined)[];
  linesByKey: ReadonlyMap<string, KeyedLines>;
  lanes: ReadonlyMap<number, readonly number[]>;
  handles: () => Handles;
};

const sameId = (id: RequestId): RequestId => id;

/** Makes the plan; linear in the length of the recording. */
export const toServerPlan = (index: SessionIndex): ServerPlan => {
  const keyOf = index.clientLines.map((line) => {
    if (line.kind === 'endOfInput') return END_KEY;
    return line.answers === undefined ? matchKey(line, sameId) : undefined;
  });
  const groups = [...groupBy(keyOf.keys(), (line) => keyOf[line])].flatMap(([key, lines]) =>
    key === undefined ? [] : [[key, lines] as const],
  );
  return {
    index,
    keyOf,
    linesByKey: new Map(groups.map(([key, lines], id) => [key, { id, lines }])),
    lanes: groupBy(index.serverLines.keys(), (line) => index.serverLines[line]?.owner ?? -1),
    handles: lazy(() => toHandles(index)),
  };
};
