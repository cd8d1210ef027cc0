/** Plays the one of several recorded sessions that begins as the client does. */
import { concat, connect, defaultIfEmpty, filter, mergeMap, type OperatorFunction, of, startWith, take } from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { labelOf, parseLine } from '../../protocol/jsonrpc/parseLine';
import { matchKey } from '../matching/matchKey';
import type { SessionIndex } from '../session/sessionIndex';
import type { PlaybackEvent } from './playbackEvent';
import { type ReplayOptions, replayServer } from './replayServer';

/**
 * As `replayServer`, for a tape of several sessions, such as one of a client that probes the server with a process of its
 * own. The first line of the client chooses; until then no line is sent. Emits which session it is, then as `replayServer` does.
 *   in   ---d---t--|     (d as the first session begins)
 *   out  ---(sD)T--|     (s the remark)
 */
export const replaySessions =
  (sessions: readonly SessionIndex[], options: ReplayOptions): OperatorFunction<string, PlaybackEvent> =>
  (line$) => {
    const [only] = sessions;
    if (only !== undefined && sessions.length === 1) return line$.pipe(replayServer(only, options));
    return line$.pipe(
      filter((line) => line.trim() !== ''),
      connect((shared$) =>
        shared$.pipe(
          take(1),
          defaultIfEmpty(undefined),
          mergeMap((first) => {
            const number = chooseSession(sessions, first);
            const rest$ = first === undefined ? shared$ : shared$.pipe(startWith(first));
            const text = `session ${number + 1} of ${sessions.length} begins as this client does`;
            return concat(
              of<PlaybackEvent>({ kind: 'session', text }),
              rest$.pipe(replayServer(sessions[number] as SessionIndex, options)),
            );
          }),
        ),
      ),
    );
  };

/** The last session whose first client line means the same, or else is of the same method; without any, the last session. */
export const chooseSession = (sessions: readonly SessionIndex[], first: string | undefined): number => {
  if (first === undefined) return sessions.length - 1;
  const parsed = parseLine(first);
  const openings = sessions.map(({ clientLines: [opening] }) => (opening?.kind === 'line' ? opening : undefined));
  const key = matchKey(parsed, sameId);
  const same = openings.findLastIndex((opening) => opening && matchKey(opening, sameId) === key);
  const alike = openings.findLastIndex((opening) => labelOf(opening?.messages[0]) === labelOf(parsed.messages[0]));
  return [same, alike].find((found) => found !== -1) ?? sessions.length - 1;
};

const sameId = (id: RequestId): RequestId => id;
