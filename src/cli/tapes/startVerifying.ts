/** Verifies a server that runs as a child process against the sessions of a tape, or of all tapes of a folder. */
import { catchError, concatMap, defer, from, map, type Observable, of, reduce, toArray } from 'rxjs';
import { checkWhole, type LoadDeps, loadSessions, type NumberedSession } from '../../app/tapes/loadTape';
import { rewriteTape } from '../../app/tapes/rewriteTape';
import type { ComparedSession } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import { tapesIn } from '../../tapes/files/tapesIn';
import { TapeError } from '../../tapes/format/tapeFile';
import type { MaskWords } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { type ServerDeps, StartError, type VerifiedSession, verifySession } from '../../tapes/sessions/verifySession';
import type { TapeChoice } from './startServing';

/** `env` is that of the server, `cwd` its folder. */
export type VerifyingDeps = LoadDeps & ServerDeps;

/**
 * `words` name the masks of the command line; `limitMs` is how long the server may be silent; `write: 'tape'` replaces the sessions on
 * the tape with the new ones.
 */
export type VerifyingOptions = {
  command: readonly string[];
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  write: 'nothing' | 'tape';
};

/**
 * Plays each session against a command of its own, one after the other. Emits how the new sessions compare with the recorded ones, and
 * completes. Of a folder, a tape that cannot be used is a result with a problem. Errors where the command cannot be started.
 */
export const startVerifying = (
  deps: VerifyingDeps,
  choice: TapeChoice,
  options: VerifyingOptions,
): Observable<readonly ComparedSession[]> =>
  defer(() => {
    const tapes = tapesIn(choice.path);
    if (tapes.kind === 'file') return verifyTape(deps, { ...choice, name: tapes.name }, options);
    return from(tapes.files).pipe(
      concatMap(({ path, name }) =>
        verifyTape(deps, { ...choice, path, name }, options).pipe(catchError((error) => of([toProblem(name, error)]))),
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

const verifyTape = (
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

/** Keeps the tape where the command failed or hung. */
const checkPlayed = (path: string, recorded: NumberedSession['session'], { now, cause }: Played): void => {
  if (cause !== undefined) throw new TapeError(`${path} stays as it was: ${cause}`);
  const sent = ({ entries }: NumberedSession['session']) => entries.some(({ entry }) => entry.dir === 'out');
  if (!sent(now) && sent(recorded)) throw new TapeError(`${path} stays as it was: the command sent nothing`);
};
