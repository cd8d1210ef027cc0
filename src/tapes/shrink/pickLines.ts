/** Makes shorter sessions from a session, by leaving out lines of its client. */

import { labelOf } from '../../protocol/jsonrpc/parseLine';
import type { Session } from '../format/tape';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';

/** Lines of the handshake, which every shorter session keeps. */
const HANDSHAKE = /^(?:initialize|notifications\/initialized|server\/discover)$/;

/** The client lines that may be left out: no handshake, and no response, which goes with the request that it belongs to. */
export const optionalLines = ({ clientLines }: SessionIndex): number[] =>
  [...clientLines.keys()].filter((line) => {
    const { kind, answers, messages } = clientLines[line] as ClientLine;
    return (
      kind === 'line' && answers === undefined && !messages.some((one) => 'method' in one && HANDSHAKE.test(one.method))
    );
  });

/** The label of a notification that names no request. */
const unaskedLabel = ({ link, messages: [message] }: ServerLine): string | undefined =>
  link === 'order' && message?.kind === 'notification' ? labelOf(message) : undefined;

/** The labels of all notifications of a server that name no request. */
export const unsolicitedLabels = ({ serverLines }: SessionIndex): string[] =>
  serverLines.flatMap((line) => unaskedLabel(line) ?? []);

/** `lines` of the client; `unasked` are labels of notifications that the server still sends without the others, so they are kept too. */
export type Kept = { lines: readonly number[]; unasked?: readonly string[] };

/** The session with the handshake, these lines of the client, and all that belongs to them. */
export const pickLines = (session: Session, index: SessionIndex, { lines, unasked = [] }: Kept): Session => {
  const dropped = new Set(optionalLines(index));
  for (const line of lines) dropped.delete(line);
  const { clientLines, serverLines } = index;
  const gone = serverLines.filter(({ owner }) => dropped.has(owner));
  const kept = serverLines.filter(({ owner }) => !dropped.has(owner));
  const stillSent = withoutOnce(unasked, unsolicitedLabels({ ...index, serverLines: kept }));
  const left = new Set(gone.filter((line) => !takeOnce(stillSent, unaskedLabel(line))));
  const isLeft = ({ answers = -1 }: ClientLine): boolean => left.has(serverLines[answers] as ServerLine);
  const lineNumbers = new Set([
    ...[...dropped].map((line) => clientLines[line]?.lineNumber),
    ...[...left].map(({ lineNumber }) => lineNumber),
    ...clientLines.filter(isLeft).map(({ lineNumber }) => lineNumber),
  ]);
  return { ...session, entries: session.entries.filter(({ lineNumber }) => !lineNumbers.has(lineNumber)) };
};

/** A copy of a list without one item for each of the others. */
const withoutOnce = (list: readonly string[], others: readonly string[]): string[] => {
  const rest = [...list];
  for (const other of others) takeOnce(rest, other);
  return rest;
};

/** Takes an item out of a list, once; false where it is not in it. */
const takeOnce = (list: string[], item: string | undefined): boolean => {
  const at = item === undefined ? -1 : list.indexOf(item);
  if (at !== -1) list.splice(at, 1);
  return at !== -1;
};
