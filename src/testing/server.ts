/** A server under test. */
import { readFileSync } from 'node:fs';
import { concatMap, defer, from, map, type Observable, toArray } from 'rxjs';
import { readTape } from '../tapes/format/readTape';
import { type Session, toSessions } from '../tapes/format/tape';
import { replayServer } from '../tapes/replayServer/replayServer';
import { toSessionIndex } from '../tapes/session/toSessionIndex';

/** An MCP server, or any program that reads and writes lines. */
export type Server = (line$: Observable<string>) => Observable<string>;

/**
 * The server of a tape: it responds as recorded, and with an error to an unrecorded request; see docs/tapes.md.
 * Errors if the file cannot be read, or has no such session. @param number of the session in the file, from 1; by default the last
 */
export const tape =
  (path: string, number?: number): Server =>
  (line$) =>
    sessionOf(path, number).pipe(
      concatMap((session) =>
        line$.pipe(replayServer(toSessionIndex(session), { speed: 'max', repeat: 'once', match: 'strict' })),
      ),
      concatMap((event) => (event.kind === 'line' ? [event.line] : [])),
    );

const sessionOf = (path: string, number: number | undefined): Observable<Session> =>
  defer(() => from(readFileSync(path, 'utf8').split('\n'))).pipe(
    readTape(),
    toArray(),
    map((items) => {
      const { sessions } = toSessions(items);
      const session = sessions.at(number === undefined ? -1 : number - 1);
      if (session === undefined) throw new Error(`${path} has no session ${number ?? 1}: it has ${sessions.length}`);
      return session;
    }),
  );
