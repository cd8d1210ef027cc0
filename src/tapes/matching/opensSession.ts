/** Recognises the first line of a recorded session. */
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { SessionIndex } from '../session/sessionIndex';
import { matchKey } from './matchKey';

const sameId = (id: RequestId): RequestId => id;

/** Whether a line means the same as the first line of the client in one of these sessions. */
export const opensSession = (sessions: readonly SessionIndex[]): ((line: string) => boolean) => {
  const openings = new Set(
    sessions.flatMap(({ clientLines: [opening] }) => (opening?.kind === 'line' ? [matchKey(opening, sameId)] : [])),
  );
  return (line) => openings.has(matchKey(parseLine(line), sameId));
};
