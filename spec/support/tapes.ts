/** Plays tapes in specs: a tape from its file, its client against its server in virtual time. */
import { readFileSync } from 'node:fs';
import { concatMap, map, type Observable, type OperatorFunction } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { connectPeers, type Traffic } from '../../src/streams/connectPeers';
import { readTape } from '../../src/tapes/format/readTape';
import { type LineProblem, type Session, toSessions } from '../../src/tapes/format/tape';
import type { Importer, Report, SourceLine } from '../../src/tapes/import/importer';
import { replayClient } from '../../src/tapes/replayClient/replayClient';
import type { Remark } from '../../src/tapes/replayServer/playbackSession';
import { replayServer, type Speed } from '../../src/tapes/replayServer/replayServer';
import type { SessionIndex } from '../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../src/tapes/session/toSessionIndex';
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

/** Connects the client of a recording to a server, and returns the session between them. */
export const playAgainst = (index: SessionIndex, server: OperatorFunction<string, string>): Session => {
  const entries: Session['entries'] = [];
  new TestScheduler(() => {}).run(({ expectObservable, flush }) => {
    const traffic$: Observable<Traffic<string, string>> = connectPeers(replayClient(index, patience), server);
    expectObservable(
      traffic$.pipe(
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

/** A recording as a server of plain lines; its remarks are added to `remarks`. */
export const serverOf =
  (index: SessionIndex, speed: Speed, remarks: Remark[]): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      replayServer(index, { speed, repeat: 'once', match: 'strict' }),
      concatMap((event) => {
        if (event.kind === 'line') return [event.line];
        remarks.push(event);
        return [];
      }),
    );

/** The index of the one session of a tape file. */
export const indexOf = (path: string): SessionIndex => toSessionIndex(sessionOf(path));

/** What an importer makes of these lines, which it is given twice, and what it reports. */
export const importedBy = (make: (report: Report) => Importer, values: readonly object[]) => {
  const problems: LineProblem[] = [];
  const { learn, begin, read, end } = make((problem) => problems.push(problem));
  const source = values.map((value, i): SourceLine => ({ lineNumber: i + 1, value: value as SourceLine['value'] }));
  for (const line of source) learn(line);
  const { meta, entries } = begin();
  return { meta, entries: [...entries, ...source.flatMap(read), ...end()], problems };
};
