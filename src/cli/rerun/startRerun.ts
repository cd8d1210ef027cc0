/** Runs a recorded daemon again: the same server and the same engine, with what its seams gave it on the tape. */
import { PassThrough } from 'node:stream';
import {
  concatMap,
  defer,
  endWith,
  finalize,
  ignoreElements,
  map,
  merge,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  share,
  takeUntil,
  takeWhile,
  tap,
  toArray,
} from 'rxjs';
import { type ServeDeps, type ServeOptions, serve } from '../../app/serve';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { fromReadable } from '../../io/stdio/fromInput';
import { immediate$ } from '../../io/stdio/immediate';
import { writeLines } from '../../io/stdio/writeLines';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { ofKind } from '../../streams/ofKind';
import { compare, type LaneResult } from '../../tapes/diff/compare';
import { CHANCE_SEAM } from '../../tapes/format/seams';
import { type Session, TapeError } from '../../tapes/format/tape';
import { type MaskWords, masksOf } from '../../tapes/matching/maskWords';
import { answerCalls, answerQuestions, type CallAnswers, type QuestionDeps } from '../../tapes/rerun/answerCalls';
import { inputsOf, type RunEvent } from '../../tapes/rerun/inputsOf';
import { brokenLine, type RerunPlan, toRerunPlan } from '../../tapes/rerun/rerunPlan';
import { ENGINE_SEAM } from '../../tapes/seams/record';
import { keyOfCall, type Live, tapePorts } from '../../tapes/seams/tapePorts';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { playSession } from '../../tapes/sessions/playSession';
import { askPerson } from '../client/person';
import type { TapeChoice } from '../replay/serveTape';

type RerunDeps = LoadDeps &
  Pick<ServeDeps, 'log'> & {
    /** Reads the command line of a tape; throws TapeError if it is not one of this program. */
    toDaemon: (session: Session) => Daemon;
    /** Emits once if the tape may be run; errors with TapeError if not. */
    consent: (session: Session) => Observable<unknown>;
  };

/** `limitMs` is how long the daemon may do nothing if something was recorded; `answer` is the answer to each of its questions, default as recorded. */
type RerunOptions = { live: Live; limitMs: number; words: MaskWords; answer: Answer | undefined };

/** The lines of the daemon, whether they are the recorded ones to the byte, and how they compare. */
type Rerun = {
  lines: number;
  bytes: 'same' | 'different';
  first?: { recorded?: string; now?: string };
  results: readonly LaneResult[];
};

/** Runs the daemon of a session again. Emits the result and completes; errors with TapeError if the tape cannot be used. */
export const startRerun = (deps: RerunDeps, choice: TapeChoice, options: RerunOptions): Observable<Rerun> =>
  loadSession(deps, choice.path, choice.session).pipe(
    concatMap((loaded) => {
      const session = checkSeams(checkWhole(loaded, choice.allow));
      const started = deps.toDaemon(session);
      const { live, limitMs, words, answer } = options;
      const plan = toRerunPlan(session, SEAMS);
      const answering = answerQuestions({ ...questionsBy(deps.remark, answer), recorded: plan.lines });
      const how = live === 'none' ? (answer ? 'nextAtOnce' : 'inOrder') : 'atOnce';
      const answers = answerCalls(plan, how, keyOfCall);
      const daemon = { ...started, log: deps.log, seams: tapePorts(answers, plan, live) };
      const now$ =
        how === 'inOrder'
          ? inOrder((stop$) => answering(runDaemon(daemon, stop$)), { plan, answers, limitMs })
          : live$(answering(runDaemon(daemon)), session, limitMs);
      return deps.consent(session).pipe(
        concatMap(() => now$),
        map((now) => toRerun(session, now, { plan, words })),
      );
    }),
  );

type Answer = keyof typeof ANSWERS;

const ANSWERS = {
  accept: { line: '1', done: 'accepted' },
  decline: { line: '', done: 'declined' },
};

/** Answers as a person does who takes the first choice, or none. */
const questionsBy = (remark: LoadDeps['remark'], answer: Answer | undefined): Omit<QuestionDeps, 'recorded'> => {
  if (answer === undefined) {
    const remedy = '--answer accept or --answer decline goes on';
    return {
      answer: undefined,
      onQuestion: (text) => remark(`the daemon asks what was not recorded, and nobody answers: ${text}; ${remedy}`),
    };
  }
  const { line, done } = ANSWERS[answer];
  return {
    answer: askPerson({ show: () => {}, line$: of(line) }),
    onQuestion: (text) => remark(`${done}: ${text}`),
  };
};

/** Rejects a session that cannot be given to the daemon again as a whole. */
const checkSeams = (session: Session): Session => {
  const broken = brokenLine(session, CHANCE_SEAM);
  if (broken === undefined) return session;
  throw new TapeError(
    `Line ${broken.lineNumber} of the tape is broken: ${broken.expected} was expected; take an unchanged copy of the tape, or record the session again by codex-rx mcp-server --record FILE`,
  );
};

type InOrder = { plan: RerunPlan; answers: CallAnswers; limitMs: number };
type Line = { dir: 'in' | 'out'; line: string };

type Run = (stop$: Observable<string>) => OperatorFunction<string, string>;

/** Each input is sent once the daemon has sent what it sent before it in the recording. */
const inOrder = (run: Run, { plan, answers, limitMs }: InOrder): Observable<Session> =>
  defer(() => {
    const event$ = new Subject<RunEvent>(); // the wire from the lines of the daemon to its inputs
    const call$ = answers.call$.pipe(map((call): RunEvent => ({ kind: 'call', call })));
    const input$ = merge(event$, call$).pipe(inputsOf({ idle: immediate$, lateMs: limitMs }, plan.steps), share());
    const lines: Line[] = []; // both directions, read once at the end
    const daemon$ = input$.pipe(
      takeWhile(({ kind }) => kind !== 'end'),
      ofKind('send'),
      map(({ line }) => line),
      tap((line) => lines.push({ dir: 'in', line })),
      run(
        input$.pipe(
          ofKind('stop'),
          map(({ signal }) => signal),
        ),
      ),
      takeUntil(input$.pipe(ofKind('close'))),
      tap((line) => lines.push({ dir: 'out', line })),
      tap(() => event$.next({ kind: 'line' })),
      share(),
    );
    const responses$ = input$.pipe(ofKind('respond'), tap(answers.respond), ignoreElements());
    const over$ = daemon$.pipe(ignoreElements(), endWith(true));
    return merge(responses$.pipe(takeUntil(over$)), daemon$).pipe(
      toArray(),
      map(() => toSession(lines)),
    );
  });

const toSession = (lines: readonly Line[]): Session => ({
  meta: {},
  entries: lines.map((line, i) => ({ lineNumber: i + 2, entry: { t: i, ...line } })),
});

/** A Codex that was only asked for its login is not there again: the choice is. */
const SEAMS = { chance: CHANCE_SEAM, choice: { seam: ENGINE_SEAM, inner: ['executor', 'environment'] } };

const PATIENCE_MS = 1_000;

/** With a live seam, or other answers, nobody knows what the server will send, so the client waits as a real one does instead of keeping the recorded order. */
const live$ = (run: OperatorFunction<string, string>, session: Session, limitMs: number): Observable<Session> => {
  const server = () => (line$: Observable<string>) =>
    line$.pipe(
      run,
      map((line) => ({ kind: 'line' as const, line })),
    );
  const patience = { patienceMs: Math.min(PATIENCE_MS, limitMs), limitMs, pace: 'needed' as const };
  return playSession({ server, patience, meta: session.meta }, toSessionIndex(session));
};

const toRerun = (session: Session, now: Session, { plan, words }: { plan: RerunPlan; words: MaskWords }): Rerun => {
  const sent = now.entries.flatMap(({ entry }) => (entry.dir === 'out' ? [entry.line] : []));
  const isSame = sent.length === plan.lines.length && sent.every((line, i) => line === plan.lines[i]);
  const results = compare(toSessionIndex(session), toSessionIndex(now), masksOf(words));
  const at = sent.findIndex((line, i) => line !== plan.lines[i]);
  const first = isSame ? undefined : { recorded: plan.lines.at(at === -1 ? sent.length : at), now: sent[at] };
  return { lines: sent.length, bytes: isSame ? 'same' : 'different', results, first };
};

/** The daemon of a tape: how it was started, and where. */
export type Daemon = { options: ServeOptions; processInfo: ServeDeps['processInfo'] };

type DaemonDeps = Daemon & Pick<ServeDeps, 'log' | 'seams'>;

/** The daemon in this process: lines in, lines out. @param stop$ emits the signal that asks it to end */
const runDaemon =
  ({ options, ...deps }: DaemonDeps, stop$: Observable<string> = NEVER): OperatorFunction<string, string> =>
  (line$) =>
    defer(() => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      return merge(
        fromReadable<Uint8Array>(stdout, noBackpressure).pipe(decodeUtf8(), splitLines()),
        serve({ ...deps, stdin, stdout, stop$ }, options).pipe(finalize(() => stdout.end())),
        line$.pipe(
          writeLines(stdin),
          finalize(() => stdin.end()),
        ),
      );
    });
