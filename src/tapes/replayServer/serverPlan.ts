/** Prepares a recording for being played as a server: what is the same for every playback session. */

import { lazy } from '../../streams/lazy';
import { type Handles, toHandles } from '../handles/handles';
import { matchKey } from '../matching/matchKey';
import { groupBy } from '../session/groupBy';
import type { SessionIndex } from '../session/sessionIndex';

/** The key of the end of the client's input. */
export const END_KEY = 'end';

type KeyedLines = {
  /** Counts keys from 0. */
  id: number;
  lines: readonly number[];
};

/** What is known about a recording before it is played. */
export type ServerPlan = {
  index: SessionIndex;
  /** The key of each client line; undefined if the line answers the server. */
  keyOf: readonly (string | undefined)[];
  linesByKey: ReadonlyMap<string, KeyedLines>;
  /** The server lines by the client line that they belong to; -1 for none. */
  lanes: ReadonlyMap<number, readonly number[]>;
  /** Found when they are first needed. */
  handles: () => Handles;
};

/** Makes the plan; linear in the length of the recording. */
export const toServerPlan = (index: SessionIndex): ServerPlan => {
  const keyOf = index.clientLines.map((line) => {
    if (line.kind === 'endOfInput') return END_KEY;
    return line.answers === undefined ? matchKey(line) : undefined;
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
