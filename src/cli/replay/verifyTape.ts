/** `codex-rx replay FILE -- COMMAND`: verifies a server against a tape. */
import { catchError, concatMap, defer, from, map, mergeMap, type Observable, of, takeUntil, toArray } from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, type LoadDeps, loadSessions, type NumberedSession } from '../../app/tapes/loadTape';
import { rewriteTape } from '../../app/tapes/writeFiles';
import { counted } from '../../streams/text/reasons';
import { compare } from '../../tapes/diff/compare';
import { learnPlaces, withoutPlaces } from '../../tapes/diff/describeLane';
import { type ComparedSession, isSame, toReports } from '../../tapes/diff/toReport';
import { asReceived, countInjected } from '../../tapes/faults/faults';
import { loadMasks } from '../../tapes/files/loadMasks';
import { tapesIn } from '../../tapes/files/tapesIn';
import { type Session, TapeError } from '../../tapes/format/tape';
import type { Masks } from '../../tapes/matching/mask';
import type { MaskWords } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { ServerDeps } from '../../tapes/sessions/toServer';
import {
  type SessionOptions,
  StartError,
  toEdits,
  type VerifiedSession,
  verifySession,
} from '../../tapes/sessions/verifySession';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { interruption } from '../signals';
import { tapeDeps } from '../tapeCommand';
import { columnsOf, print } from '../terminal';
import type { Replay } from './options';
import type { TapeChoice } from './serveTape';

/** Plays the client of each session, and writes the report: exit code 1 if something differs, 2 if a tape of a folder cannot be used. */
export const verifyTape = (given: Replay, choice: TapeChoice): void => {
  const { stdout, env } = process;
  const { command, report, timeout, update, speed, jobs, like } = given;
  process.exitCode = exitCode.failed; // until the comparison has passed
  startVerifying({ ...tapeDeps('replay'), env, cwd: process.cwd(), version, started: new Date() }, choice, {
    command,
    words: given,
    limitMs: timeout * 1000,
    pace: toPace(speed),
    damaged: given['allow-damaged'] ? 'allowed' : 'refused',
    write: update ? 'tape' : 'nothing',
    like,
    jobs,
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

/** The pace that `--speed` names. */
export const toPace = (speed: string | undefined): Pace => {
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
  /** Whether a tape may have lines that cannot be read. */
  damaged: 'allowed' | 'refused';
  /** `tape` writes the lines that differ into the tape. */
  write: 'nothing' | 'tape';
  /** Another recording of the same behaviour. */
  like: string | undefined;
  /** How many tapes of a folder are verified at once. */
  jobs: number;
};

/**
 * Plays each session against a command of its own, the sessions of a file one after the other. Emits how the new sessions compare with the recorded ones, and
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
      mergeMap(
        ({ path, name }, at) =>
          verifyFile(deps, { ...choice, path, name }, options).pipe(
            catchError((error) => of([toProblem(name, error)])),
            map((sessions) => ({ at, sessions })),
          ),
        options.jobs,
      ),
      toArray(),
      map((files) => files.toSorted((a, b) => a.at - b.at).flatMap(({ sessions }) => sessions)),
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
  loadSessions(
    deps,
    { path: choice.path, number: choice.session },
    options.damaged === 'allowed' ? undefined : '--allow-damaged',
  ).pipe(
    map((sessions) => {
      const from = { path: choice.path, write: options.write };
      return sessions.map((one) => ({ ...one, session: receivedIn(deps, from, one.session) }));
    }),
    concatMap((sessions) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      for (const { session } of sessions) checkWhole(session, choice.allow);
      return learnFrom(deps, options.like, { sessions, masks }).pipe(
        concatMap((learned) => from(sessions).pipe(concatMap(player(deps, { ...options, masks }, learned)), toArray())),
        map((played) => {
          const compared = played.map(({ number, results }) => ({ name: nameOf(choice, sessions, number), results }));
          if (options.write === 'tape') rewrite(deps, choice, { sessions, played, masks });
          return compared;
        }),
      );
    }),
  );

/** A server that is verified gets what the recorded server got. Throws TapeError if the tape is to be written. */
const receivedIn = (
  { remark }: LoadDeps,
  { path, write }: { path: string; write: VerifyingOptions['write'] },
  session: Session,
): Session => {
  const count = countInjected(session);
  if (count === 0) return session;
  if (write === 'tape') throw new TapeError(`${path} holds injected faults; --update needs a tape without them`);
  remark(`${path} holds ${counted(count, 'injected fault')}: the server gets what the recorded server got`);
  return asReceived(session);
};

type Learned = ReadonlyMap<number, ReadonlySet<string>>;

/** Plays a session, and leaves out what was learned to differ. */
export const player =
  (deps: VerifyingDeps, options: SessionOptions, learned: Learned) =>
  ({ number, session }: NumberedSession): Observable<Played> =>
    verifySession({ ...deps, onTrouble: deps.remark }, session, options).pipe(
      map((one) => ({ ...one, number, results: withoutPlaces(one.results, learned.get(number) ?? new Set()) })),
    );

/** By the number of a session: the places at which it differs from another recording, in the session of that number or in its only one. */
export const learnFrom = (
  deps: LoadDeps,
  like: string | undefined,
  { sessions, masks }: { sessions: readonly NumberedSession[]; masks: Masks },
): Observable<Learned> => {
  if (like === undefined) return of(new Map());
  return loadSessions(deps, { path: like, number: undefined }).pipe(
    map((others) => {
      const learned = sessions.map(({ number, session }): [number, ReadonlySet<string>] => {
        const other = others.length === 1 ? others[0] : others.find((one) => one.number === number);
        if (other === undefined) throw new TapeError(`${like} has no session ${number}`);
        return [number, learnPlaces(compare(toSessionIndex(session), toSessionIndex(other.session), masks))];
      });
      return new Map(learned);
    }),
  );
};

const nameOf = ({ name }: NamedChoice, sessions: readonly NumberedSession[], number: number): string =>
  sessions.length > 1 ? `${name} session ${number}` : name;

type Sessions = { sessions: readonly NumberedSession[]; played: readonly Played[]; masks: Masks };

/** Writes the lines that differ into the tape. */
const rewrite = (deps: VerifyingDeps, { path }: TapeChoice, { sessions, played, masks }: Sessions): void => {
  const edits = sessions.flatMap(({ session }, i) => {
    const verified = played[i] as Played;
    checkPlayed(path, session, verified);
    return [...toEdits(session, verified, masks)];
  });
  const lines = edits.map(([lineNumber, entries]) => [lineNumber, entries.map((one) => JSON.stringify(one))] as const);
  if (lines.length > 0) rewriteTape(path, new Map(lines));
  const done =
    lines.length > 0 ? `is up to date: ${counted(lines.length, 'line')} changed` : 'stays as it was: nothing differs';
  deps.remark(`${path} ${done}`);
};

/** Keeps the tape if the command failed or hung. */
const checkPlayed = (path: string, recorded: NumberedSession['session'], { now, cause }: Played): void => {
  if (cause !== undefined) throw new TapeError(`${path} stays as it was: ${cause}`);
  const sent = ({ entries }: NumberedSession['session']) => entries.some(({ entry }) => entry.dir === 'out');
  if (!sent(now) && sent(recorded)) throw new TapeError(`${path} stays as it was: the command sent nothing`);
};
