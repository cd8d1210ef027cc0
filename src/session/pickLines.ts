/** Makes shorter sessions of a session, by lines of its client. */
import type { Session } from '../tape';
import type { ClientLine, ServerLine, SessionIndex } from './sessionIndex';

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

/** The session with the handshake, these lines of the client, and all that belongs to them. */
export const pickLines = (session: Session, index: SessionIndex, kept: readonly number[]): Session => {
  const dropped = new Set(optionalLines(index));
  for (const line of kept) dropped.delete(line);
  const { clientLines, serverLines } = index;
  const isDropped = ({ owner }: ServerLine): boolean => dropped.has(owner);
  const lineNumbers = new Set([
    ...[...dropped].map((line) => clientLines[line]?.lineNumber),
    ...serverLines.filter(isDropped).map(({ lineNumber }) => lineNumber),
    ...clientLines
      .filter(({ answers }) => answers !== undefined && isDropped(serverLines[answers] as ServerLine))
      .map(({ lineNumber }) => lineNumber),
  ]);
  return { ...session, entries: session.entries.filter(({ lineNumber }) => !lineNumbers.has(lineNumber)) };
};
