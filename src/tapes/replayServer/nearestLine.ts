/** Finds the recorded line that is nearest to one that was not recorded, and describes how they differ. */

import { isObject } from '../../protocol/jsonrpc/json';
import { labelOf, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { type Difference, diffJson, toDifferenceText } from '../../streams/marbles/diffJson';
import { toMatched } from '../matching/matchKey';
import type { ClientLine } from '../session/sessionIndex';

/** A recorded line of the same method, and where its params differ. */
export type NearLine = { line: ClientLine; params: unknown; differences: readonly Difference[] };

/** What was not recorded, for a person and for a program. */
export type Unrecorded = { message: string; data?: unknown };

/** A comparison takes time, and a tape may hold very many requests of one method. */
const MAX_COMPARED = 200;
const MAX_SHOWN = 3;

/** The line of the same method with the fewest differences; the first of several. */
export const nearestLine = (lines: readonly ClientLine[], message: TapeMessage): NearLine | undefined => {
  if (!('method' in message)) return undefined;
  const candidates = lines.flatMap((line) => {
    const [first] = line.messages;
    return first && 'method' in first && first.method === message.method ? [{ line, params: first.params }] : [];
  });
  const compared = candidates.slice(0, MAX_COMPARED).map((one) => ({
    ...one,
    differences: diffJson(toMatched(one.params), toMatched(isObject(message.params) ? message.params : {}), 'params'),
  }));
  return compared.reduce<NearLine | undefined>(
    (best, one) => (best && best.differences.length <= one.differences.length ? best : one),
    undefined,
  );
};

/** Describes a message that was not recorded, with the nearest line that was. */
export const toUnrecorded = (lines: readonly ClientLine[], message: TapeMessage): Unrecorded => {
  const label = labelOf(message);
  const near = nearestLine(lines, message);
  if (near === undefined) return { message: `Not recorded: ${label}; the tape has nothing of that method` };
  const { line, differences, params } = near;
  const how = differences.length === 0 ? 'it is the same, but was sent fewer times' : toText(differences);
  return {
    message: `Not recorded: ${label}. Nearest is ${placeOf(line)}; ${how}`,
    data: {
      nearest: { line: line.lineNumber, method: labelOf(line.messages[0]), params },
      differences: differences.slice(0, MAX_COMPARED),
    },
  };
};

/** Describes which recorded line a message was taken for. */
export const toSubstitution = (message: TapeMessage, { line, differences }: NearLine): string =>
  `${labelOf(message)} is taken for ${placeOf(line)}; ${toText(differences)}`;

const placeOf = ({ lineNumber, messages }: ClientLine): string => `line ${lineNumber}: ${labelOf(messages[0])}`;

const toText = (differences: readonly Difference[]): string =>
  differences.slice(0, MAX_SHOWN).map(toDifferenceText).join('; ');
