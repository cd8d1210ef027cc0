/** Splits a session into lanes: for each line of the client, what the server sent because of it. */

import { labelOf, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { ignoresLabel } from '../matching/ignore';
import { hidesMessage, type Masks } from '../matching/mask';
import { outputCategoryOf } from '../session/joinDeltas';
import { serverLabelOf } from '../session/pairingKey';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';

/** The server lines that belong to a client line; without `client` those that belong to none, and the output of a program. */
export type Lane = { label: string; lineNumber: number; client?: ClientLine; lines: readonly ServerLine[] };

/** The lanes of a session, without what the masks ignore. */
export const toLanes = ({ clientLines, serverLines }: SessionIndex, masks: Masks): Lane[] => {
  const lines = new Map<number | string, ServerLine[]>();
  for (const line of serverLines) {
    if (!isCompared(line, masks)) continue;
    const owner = line.link === 'named' ? line.owner : (outputLaneOf(line) ?? NO_REQUEST);
    const lane = lines.get(owner);
    if (lane) lane.push(line);
    else lines.set(owner, [line]);
  }
  const owned = clientLines.flatMap((client, owner): Lane[] => {
    const [message] = client.messages;
    const label = labelOf(message);
    if (client.kind === 'endOfInput' || ignoresLabel(masks.ignored, [...methodsOf(message), label])) return [];
    return [{ label, lineNumber: client.lineNumber, client, lines: lines.get(owner) ?? [] }];
  });
  const free = [...lines].flatMap(([label, own]): Lane[] =>
    typeof label === 'string' && label !== NO_REQUEST ? [{ label, lineNumber: 0, lines: own }] : [],
  );
  return [...owned, { label: NO_REQUEST, lineNumber: 0, lines: lines.get(NO_REQUEST) ?? [] }, ...free];
};

const NO_REQUEST = 'what belongs to no request';

/** A program prints independently of its debugger, so that the order of the two varies. */
const outputLaneOf = ({ value }: ServerLine): string | undefined => {
  const category = outputCategoryOf(value);
  return category === undefined ? undefined : `the program's output on ${category}`;
};

const isCompared = ({ messages: [message] }: ServerLine, masks: Masks): boolean => {
  if (message && 'method' in message && hidesMessage(masks, message.method)) return false;
  return masks.ignored === undefined || !ignoresLabel(masks.ignored, [...methodsOf(message), serverLabelOf(message)]);
};

const methodsOf = (message: TapeMessage | undefined): string[] =>
  message && 'method' in message ? [message.method] : [];
