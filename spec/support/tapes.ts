/** Owns playing tapes in specs: a tape from its file, both halves of it against each other under virtual time. */
import { readFileSync } from 'node:fs';
import { concatMap, map, type Observable, type OperatorFunction } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { type PlaybackEvent, replayClient, replayServer, type Speed } from '../../src/replay';
import { type Recording, toRecording } from '../../src/session';
import { connectPeers, type Traffic as Spoken } from '../../src/streams';
import { readTape, type Session, toSessions } from '../../src/tape';
import { through } from './streams';

/** The one session of a tape file. */
export const sessionOf = (path: string): Session => {
  const { sessions } = toSessions(through(readTape(), readFileSync(path, 'utf8').trimEnd().split('\n')));
  expect(sessions).toHaveLength(1);
  return sessions[0] as Session;
};

/** A session of these lines; `in` and `out` by the mark before each, times in ms. */
export const sessionFrom = (...lines: [t: number, dir: string, message: object | string][]): Session => ({
  meta: {},
  entries: lines.map(([t, dir, message], i) => ({
    lineNumber: i + 1,
    entry: { t, dir, line: typeof message === 'string' ? message : JSON.stringify(message) },
  })),
});

export const patience = { patienceMs: 500, limitMs: 30_000 };

/** Lets a client of one recording connectPeers to a server, and gives the session that came of it. */
export const playAgainst = (recording: Recording, server: OperatorFunction<string, string>): Session => {
  const entries: Session['entries'] = [];
  new TestScheduler(() => {}).run(({ expectObservable, flush }) => {
    const spoken$: Observable<Spoken<string, string>> = connectPeers(replayClient(recording, patience), server);
    expectObservable(
      spoken$.pipe(
        map(({ from, item }) => {
          const entry = { t: 0, dir: from === 'near' ? 'in' : 'out', line: item };
          entries.push({ lineNumber: entries.length + 1, entry });
        }),
      ),
    );
    flush();
  });
  return { meta: {}, entries };
};

/** A recording as a server of plain lines; what else playing comes to is put into `other`. */
export const serverOf =
  (recording: Recording, speed: Speed, other: PlaybackEvent[]): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      replayServer(recording, { speed, repeat: 'once', match: 'strict' }),
      concatMap((played) => {
        if (played.kind === 'line') return [played.line];
        other.push(played);
        return [];
      }),
    );

export const recordingOf = (path: string): Recording => toRecording(sessionOf(path));
