/** `codex-rx replay TAPE -- COMMAND`: verifies a server against a tape. */
import { catchError, concatMap, defer, from, map, type Observable, of, reduce, takeUntil, toArray } from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, type LoadDeps, loadSessions, type NumberedSession } from '../../app/tapes/loadTape';
import { rewriteTape } from '../../app/tapes/writeFiles';
import { type ComparedSession, isSame, toReports } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import { tapesIn } from '../../tapes/files/tapesIn';
import { TapeError } from '../../tapes/format/tape';
import type { MaskWords } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { type ServerDeps, StartError, type VerifiedSession, verifySession } from '../../tapes/sessions/verifySession';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { interruption } from '../signals';
import { tapeDeps } from '../tapeCommand';
import { columnsOf, print } from '../terminal';
import type { Replay } from './options';
import type { TapeChoice } from './serveTape';

/**
 * Plays the client of each session against the command, writes the report to stdout, and ends: exit code 1 if something differs, 2 if a
 * tape of a folder cannot be used.
 */
export const verifyTape = (given: Replay, choice: TapeChoice): void => {
  const { stdout, env } = process;
  const { command, report, timeout, update, speed } = given;
  process.exitCode = exitCode.failed; // until the comparison has passed
  startVerifying({ ...tapeDeps('replay'), env, cwd: process.cwd(), version, started: new Date() }, choice, {
    command,
    words: given,
    limitMs: timeout * 1000,
    pace: toPace(speed),
    write: update ? 'tape' : 'nothing',
  })
    .pipe(takeUntil(interruption()))
    .subscribe({
      next: (sessions) => {
        print(toReports({ format: report, columns: columnsOf(stdout) }, sessions));
        process.exitCode = codeOf(sessions, update ? 'tape' : 'nothing');
      },
      error: failAs('replay'),
    })
    .add(exitWhenWritten('replay'));
};

const toPace = (speed: string | undefined): Pace => {
  if (speed === undefined) return 'needed';
  return speed === 'max' ? 'max' : Number(speed);
};

const codeOf = (sessions: readonly ComparedSession[], write: 'tape' | 'nothing'): number => {
  if (sessions.some(({ problem }) => problem !== undefined)) return exitCode.unusable;
  return write === 'nothing' && !sessions.every(isSame) ? exitCode.failed : exitCode.ok;
};

type VerifyingDeps = LoadDeps & ServerDeps;

type VerifyingOptions = {
  command: readonly string[];
  /** The masks of the command line. */
  words: MaskWords;
  /** How long the server may be silent. */
  limitMs: number;
  pace: Pace;
  /** `tape` replaces the sessions on the tape with the new sessions. */
  write: 'nothing' | 'tape';
};

/**
 * Plays each session against a command of its own, one after the other. Emits how the new sessions compare with the recorded ones, and
 * completes. Of a folder, a tape that cannot be used is a result with a problem. Errors if the command cannot be started.
 */
const startVerifying = (
  deps: VerifyingDeps,
  choice: TapeChoice,
  options: VerifyingOptions,
): Observable<readonly ComparedSession[]> =>
  defer(() => {
    const tapes = tapesIn(choice.path);
    if (tapes.kind === 'file') return verifyFile(deps, { ...choice, name: tapes.name }, options);
    return from(tapes.files).pipe(
      concatMap(({ path, name }) =>
        verifyFile(deps, { ...choice, path, name }, options).pipe(catchError((error) => of([toProblem(name, error)]))),
      ),
      reduce<readonly ComparedSession[], readonly ComparedSession[]>((all, some) => [...all, ...some], []),
    );
  });

const toProblem = (name: string, error: unknown): ComparedSession => {
  if (!(error instanceof TapeError) || error instanceof StartError) throw error;
  return { name, results: [], problem: error.message };
};

type NamedChoice = TapeChoice & { name: string };
type Played = VerifiedSession & { number: number };

const verifyFile = (
  deps: VerifyingDeps,
  choice: NamedChoice,
  options: VerifyingOptions,
): Observable<readonly ComparedSession[]> =>
  loadSessions(deps, choice.path, choice.session).pipe(
    concatMap((sessions) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      for (const { session } of sessions) checkWhole(session, choice.allow);
      return from(sessions).pipe(
        concatMap(({ number, session }) =>
          verifySession({ ...deps, onTrouble: deps.remark }, session, { ...options, masks }).pipe(
            map((verified) => ({ ...verified, number })),
          ),
        ),
        toArray(),
        concatMap((played) => {
          const compared = played.map(({ number, results }) => ({ name: nameOf(choice, sessions, number), results }));
          if (options.write === 'nothing') return of(compared);
          return rewrite(deps, choice, { sessions, played }).pipe(map(() => compared));
        }),
      );
    }),
  );

const nameOf = ({ name }: NamedChoice, sessions: readonly NumberedSession[], number: number): string =>
  sessions.length > 1 ? `${name} session ${number}` : name;

type Sessions = { sessions: readonly NumberedSession[]; played: readonly Played[] };

const rewrite = (deps: VerifyingDeps, { path }: TapeChoice, { sessions, played }: Sessions): Observable<void> => {
  for (const [i, { session }] of sessions.entries()) checkPlayed(path, session, played[i] as Played);
  return rewriteTape(
    deps,
    path,
    played.map(({ number, now }) => ({ number, session: now })),
  ).pipe(
    map(() => {
      const [{ now } = { now: { meta: { command: [''] } } }] = played;
      deps.remark(`${path} now holds the session with ${(now.meta.command as string[])[0]}`);
    }),
  );
};

/** Keeps the tape if the command failed or hung. */
const checkPlayed = (path: string, recorded: NumberedSession['session'], { now, cause }: Played): void => {
  if (cause !== undefined) throw new TapeError(`${path} stays as it was: ${cause}`);
  const sent = ({ entries }: NumberedSession['session']) => entries.some(({ entry }) => entry.dir === 'out');
  if (!sent(now) && sent(recorded)) throw new TapeError(`${path} stays as it was: the command sent nothing`);
};
