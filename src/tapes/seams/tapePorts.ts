/** The seams of a daemon that runs again: what its model, its executor, its disk and chance gave it, from a tape. */
import { concatMap, EMPTY, ignoreElements, map, mergeMap, NEVER, type Observable, of, throwError, timer } from 'rxjs';
import type { Executor, Process, Started } from '../../executor/backend';
import { maskArguments } from '../../io/log/maskAddress';
import type { ProcessEvent } from '../../protocol/exec/process';
import { isObject } from '../../protocol/jsonrpc/json';
import { RpcError } from '../../protocol/jsonrpc/messages';
import { type CodexHost, HostError, type SessionFacts } from '../../protocol/methods/host';
import type { ModelEvent } from '../../protocol/model/events';
import { ModelError } from '../../protocol/model/model';
import type { Awaitable } from '../../streams/awaitable';
import { parseLines } from '../../threads/lines/readRolloutLine';
import { ThreadError } from '../../threads/threadError';
import type { Claim, ThreadRecord } from '../../threads/threadRecord';
import type { ResumedThread, ThreadStore } from '../../threads/threadStore';
import { type Chance, MARK_SEAM, timerSeam } from '../format/seams';
import type { CallAnswers, Recorded } from '../rerun/answerCalls';
import type { RecordedCall, RerunPlan } from '../rerun/rerunPlan';
import { tapePatches } from './patches';
import type { Choice, PlayedSeams, SeamPorts } from './ports';
import { ENGINE_SEAM, IDLE_SEAM, MESSAGES_SEAM, REACH_SEAM, START_SEAM, toSpecLine } from './record';
import { HOST_DRAWS, HOST_SEAM, type HostRequest, withoutServers } from './recordHost';
import { CLAIM_DRAW, KEPT_DRAW, THREAD_SEAMS } from './recordThreads';

/** The seam that is real instead of played, if any. */
export type Live = 'none' | 'model' | 'executor';

const FAILED = 'failed: ';

const NOT_ASKED =
  'the tape has no answer of the model to this request: what it is sent, such as the output of a command, differs from what was recorded';

const NOT_RECORDED = 'this was not recorded, and nothing is live that could answer';

/** The ports of a rerun. Nothing is written, started or reached except at the live seam. */
export const tapePorts = (answers: CallAnswers, { drawn }: RerunPlan, live: Live): PlayedSeams => {
  const [{ ask }, chance] = [answers, drawnAgain(drawn)];
  return {
    model: (plain) =>
      live === 'model'
        ? plain
        : (request) => ask('model', JSON.stringify(request)).pipe(concatMap((one) => toModelEvents(one))),
    backend: (plain) =>
      live === 'executor'
        ? plain
        : { start: (spec) => ask('executor', toSpecLine(spec)).pipe(concatMap((one) => toProcessEvents(one))) },
    requests: (plain) =>
      live === 'executor'
        ? plain
        : (method, params) =>
            ask('environment', JSON.stringify({ method, params })).pipe(concatMap((one) => toResult(one, Error))),
    patches: (plain) => (live === 'executor' ? plain : tapePatches(ask, NOT_RECORDED)),
    reach: (plain) => (live === 'executor' ? plain : tapeReach(ask)(plain)),
    threads: tapeThreads(answers, chance),
    host: tapeHost(answers, chance, live),
    mark: (what) => answers.claim(MARK_SEAM, JSON.stringify(what)),
    messages: <T>() => ask(MESSAGES_SEAM, 'null').pipe(concatMap((one) => toMessage<T>(one))),
    choice: () => ask(ENGINE_SEAM, '"auto"').pipe(concatMap(toChoice)),
    ...tapeTimers(ask, live),
    chance,
    effects: 'none',
  };
};

/** On an old tape, which has no beginnings of turns, they begin at once. */
const tapeTimers = (ask: CallAnswers['ask'], live: Live): Pick<PlayedSeams, 'after' | 'afterIdle' | 'starts'> => ({
  after: live === 'none' ? (ms) => tapeTimer(ask, timerSeam(ms))(ms) : timer,
  afterIdle: live === 'none' ? tapeTimer(ask, IDLE_SEAM) : timer,
  starts: () => (turn$) => ask(START_SEAM, 'null').pipe(concatMap(() => turn$)),
});

/** The engine that was chosen; the native engine if that was not recorded. */
const toChoice = (recorded: Recorded): Observable<Choice> => {
  if (recorded.kind === 'unrecorded') return of({ engine: 'native', reason: NOT_RECORDED });
  return recorded.entry.dir === 'out' ? of(JSON.parse(recorded.entry.line)) : EMPTY;
};

const toMessage = <T>(recorded: Recorded): Observable<T> =>
  recorded.kind === 'entry' && recorded.entry.dir === 'out' ? of(JSON.parse(recorded.entry.line) as T) : EMPTY;

const tapeTimer =
  (ask: CallAnswers['ask'], seam: string) =>
  (ms: number): Observable<unknown> =>
    ask(seam, 'null').pipe(mergeMap((recorded) => (recorded.kind === 'entry' ? of(0) : timer(ms))));

const UNREACHED: Executor = { start: () => EMPTY, request: () => EMPTY };

/** The configuration is the current one; an old tape has only what the executors did. */
const tapeReach =
  (ask: CallAnswers['ask']): SeamPorts['reach'] =>
  (plain) =>
  (id, member) => {
    plain(id, member); // throws ConfigError
    return ask(REACH_SEAM, JSON.stringify([id, member])).pipe(
      concatMap((recorded) =>
        recorded.kind === 'unrecorded' ? of({ member }) : toResult<{ member?: string }>(recorded, Error),
      ),
      map((reached) => ({ executor: UNREACHED, ...(reached.member !== undefined && reached) })),
    );
  };

/** The recorded values of chance, in their order; after the last one new values. */
const drawnAgain = (drawn: RerunPlan['drawn']): Chance => {
  const next = new Map<string, number>(); // the place of the next value, by name
  return <T>(name: string, draw: () => T) =>
    () => {
      const at = next.get(name) ?? 0;
      const values = drawn.get(name) ?? [];
      next.set(name, at + 1);
      return at < values.length ? (values[at] as T) : draw();
    };
};

const toModelEvents = (recorded: Recorded): Observable<ModelEvent> => {
  if (recorded.kind === 'unrecorded') return throwError(() => new ModelError(NOT_ASKED, false));
  const { dir, line, fault } = recorded.entry;
  if (dir === 'out') return of(JSON.parse(line) as ModelEvent);
  if (!line.startsWith(FAILED)) return EMPTY;
  const { retryable = false, tried, code } = (isObject(fault) ? fault : {}) as Partial<ModelError & RpcError>;
  const message = line.slice(FAILED.length);
  return throwError(() =>
    code === undefined ? new ModelError(message, retryable, tried) : new RpcError(code, message),
  );
};

/** A process with known output only: whatever is written to it is accepted. */
const PROCESS: Process = {
  read: () => EMPTY,
  acknowledge: () => of(undefined),
  write: () => of('accepted'),
  closeStdin: () => of('accepted'),
  signal: () => of(undefined),
  terminate: () => of(true),
};

const toProcessEvents = (recorded: Recorded): Observable<Started | ProcessEvent> => {
  if (recorded.kind === 'unrecorded') return of({ kind: 'failed', seq: 0, reason: NOT_RECORDED });
  const { dir, line } = recorded.entry;
  if (dir !== 'out') return EMPTY;
  const event = JSON.parse(line);
  if (event.kind === 'started') return of({ ...event, process: PROCESS });
  return of(event.kind === 'output' ? { ...event, chunk: new Uint8Array(Buffer.from(event.chunk, 'base64')) } : event);
};

/** The result of a recorded call: its values, its error, or nothing if it was stopped. */
const toResult = <R>(recorded: Recorded, Failure: new (reason: string) => Error): Observable<R> => {
  if (recorded.kind === 'unrecorded') return throwError(() => new Failure(NOT_RECORDED));
  const { dir, line } = recorded.entry;
  if (dir === 'out') return of(JSON.parse(line) as R);
  return line.startsWith(FAILED) ? throwError(() => new Failure(line.slice(FAILED.length))) : EMPTY;
};

/** The machine behind the Codex methods. With a live executor, commands and git really run. config.toml is read as it is now; a login has no token. */
export const tapeHost =
  ({ ask }: CallAnswers, chance: Chance, live: Live) =>
  (plain: CodexHost): CodexHost => {
    const played = <R>(...request: HostRequest): Observable<R> =>
      ask(HOST_SEAM, JSON.stringify(request)).pipe(concatMap((one) => toResult<R>(one, HostError)));
    const commands = live === 'executor' ? plain : undefined;
    return {
      savedConfig: plain.savedConfig,
      folder: plain.folder,
      git: commands?.git ?? ((folder, args) => played('git', folder, args)),
      runOneOff: commands?.runOneOff ?? ((command) => played('runOneOff', command)),
      files: (folder) => played('files', folder),
      listStored: (page) => played('listStored', page),
      findStored: (named) => played('findStored', named),
      readStored: (id) => played('readStored', id),
      archiveStored: (id) => played('archiveStored', id),
      listTapes: () => played('listTapes'),
      readTape: (name) => played('readTape', name),
      sessions: tapeSessions(played),
      account: {
        current: chance(HOST_DRAWS.login, () => ({})),
        preferred: chance(HOST_DRAWS.preferred, plain.account.preferred),
        refresh$: played('refresh'),
        logout$: played('logout'),
        login$: played('login'),
      },
    };
  };

const tapeSessions = (played: <R>(...request: HostRequest) => Observable<R>): CodexHost['sessions'] => ({
  find: (asked) =>
    played<RecordedFacts | null>('findSession', withoutServers(asked)).pipe(map((facts) => facts && withLines(facts))),
  fork: (asked) =>
    played<{ id: string; facts: RecordedFacts } | null>('forkSession', withoutServers(asked)).pipe(
      map((made) => made && { ...made, facts: withLines(made.facts) }),
    ),
  has: (id) => played('hasSession', id),
  rename: (id, name) => played('renameSession', id, name),
  setArchived: (id, archived) => played('setArchived', id, archived),
  remove: (id) => played('removeSession', id),
});

/** Earlier releases recorded the rollout as a text. */
type RecordedFacts = Omit<SessionFacts, 'rollout'> & { rollout: SessionFacts['rollout'] | string };

const withLines = ({ rollout, ...facts }: RecordedFacts): SessionFacts => ({
  ...facts,
  rollout: typeof rollout === 'string' ? parseLines(rollout) : rollout,
});

/** Threads that are stored nowhere. What was not recorded succeeds at once, except for resuming a thread. */
export const tapeThreads = ({ ask }: Pick<CallAnswers, 'ask'>, chance: Chance) => {
  const answer = <A>(kind: keyof typeof THREAD_SEAMS, ref: string, unrecorded: Observable<A>): Observable<A> =>
    ask(THREAD_SEAMS[kind], JSON.stringify(ref)).pipe(
      concatMap((recorded) => (recorded.kind === 'unrecorded' ? unrecorded : toResult<A>(recorded, ThreadError))),
    );
  const recordOf = (ref: string): ThreadRecord => ({
    write: () => {},
    close: () => EMPTY,
    isKept: chance(KEPT_DRAW, () => true),
    claim: chance(CLAIM_DRAW, (): Awaitable<Claim> => answer<Claim>('claim', ref, of('current'))),
    endTurn: () => answer<never>('endTurn', ref, EMPTY).pipe(ignoreElements()),
    rest: () => answer<never>('rest', ref, EMPTY).pipe(ignoreElements()),
    lost$: answer<never>('lost', ref, NEVER),
  });
  return (open: () => ThreadStore) => (): ThreadStore => ({
    ...open(),
    begin: ({ id }) => answer<unknown>('begin', id, of(null)).pipe(map(() => recordOf(id))),
    resume: (ref) =>
      answer<ResumedThread>(
        'resume',
        ref,
        throwError(() => new ThreadError(NOT_RECORDED)),
      ).pipe(map((stored) => ({ ...stored, record: recordOf(ref) }))),
    close: () => EMPTY,
  });
};

/** A descriptor of a daemon's process, through which a sandbox gets a file. */
const OWN_DESCRIPTOR = /^\/proc\/\d+\/fd\/\d+$/;

/**
 * The part of a request that is compared. The environment of a process depends on its machine, and descriptors on the daemon's process. Secret
 * arguments are masked on both sides, because tapes of earlier builds hold them.
 */
export const keyOfCall = ({ seam, line }: RecordedCall): string => {
  if (seam !== 'executor') return line;
  const { argv, cwd } = JSON.parse(line);
  const compared = maskArguments(argv).map((text) => (OWN_DESCRIPTOR.test(text) ? '/proc/PID/fd/N' : text));
  return JSON.stringify([compared, cwd]);
};
