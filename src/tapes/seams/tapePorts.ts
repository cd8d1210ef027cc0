/** The seams of a daemon that runs again: what its model, its executor, its disk and chance gave it, from a tape. */
import { concatMap, EMPTY, ignoreElements, map, mergeMap, NEVER, type Observable, of, throwError, timer } from 'rxjs';
import type { Executor, Process, Started } from '../../executor/backend';
import type { ProcessEvent } from '../../protocol/exec/process';
import { isObject } from '../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../protocol/model/events';
import { ModelError } from '../../protocol/model/model';
import { ThreadError } from '../../threads/threadError';
import type { Claim, ThreadRecord } from '../../threads/threadRecord';
import type { ResumedThread, ThreadStore } from '../../threads/threadStore';
import type { Chance } from '../format/chance';
import { timerSeam } from '../format/timerSeam';
import type { CallAnswers, Recorded } from '../rerun/answerCalls';
import type { RerunPlan } from '../rerun/rerunPlan';
import type { Choice } from './engineChoice';
import { FAILED, type Live, NOT_ASKED, NOT_RECORDED } from './live';
import { ENGINE_SEAM, IDLE_SEAM, REACH_SEAM, toSpecLine } from './recordPorts';
import { KEPT_DRAW, THREAD_SEAMS } from './recordThreads';
import { fromSeamJson } from './seamJson';
import type { Patches, PlayedSeams, SeamPorts } from './seamPorts';
import { tapeHost } from './tapeHost';

/** The ports. Nothing is written, started or reached but at the seam that is live. */
export const tapePorts = (answers: CallAnswers, { drawn }: RerunPlan, live: Live): PlayedSeams => {
  const { ask } = answers;
  const chance = drawnAgain(drawn);
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
            ask('environment', JSON.stringify({ method, params })).pipe(concatMap((one) => toExecResult(one))),
    patches: (plain) => (live === 'executor' ? plain : tapePatches(ask)),
    reach: (plain) => (live === 'executor' ? plain : tapeReach(ask)(plain)),
    threads: tapeThreads(answers, chance),
    host: tapeHost(answers, chance, live),
    choice: () => ask(ENGINE_SEAM, '"auto"').pipe(concatMap(toChoice)),
    after: live === 'none' ? tapeTimers(ask) : timer,
    chance,
    afterIdle: live === 'none' ? tapeTimer(ask, IDLE_SEAM) : timer,
    effects: 'none',
  };
};

/** The engine that was chosen; the native one where that was not recorded. */
const toChoice = (recorded: Recorded): Observable<Choice> => {
  if (recorded.kind === 'unrecorded') return of({ engine: 'native', reason: NOT_RECORDED });
  return recorded.entry.dir === 'out' ? of(JSON.parse(recorded.entry.line)) : EMPTY;
};

/** Timers that are due when they were; those that were not recorded run. */
const tapeTimers =
  (ask: CallAnswers['ask']) =>
  (ms: number): Observable<unknown> =>
    tapeTimer(ask, timerSeam(ms))(ms);

const tapeTimer =
  (ask: CallAnswers['ask'], seam: string) =>
  (ms: number): Observable<unknown> =>
    ask(seam, 'null').pipe(mergeMap((recorded) => (recorded.kind === 'entry' ? of(0) : timer(ms))));

/** What stands for an executor where a tape answers. */
const UNREACHED: Executor = { start: () => EMPTY, request: () => EMPTY };

/** The configuration is the current one; an old tape has only what the executors did. */
const tapeReach =
  (ask: CallAnswers['ask']): SeamPorts['reach'] =>
  (plain) =>
  (id, member) => {
    plain(id, member); // throws ConfigError
    return ask(REACH_SEAM, JSON.stringify([id, member])).pipe(
      concatMap((recorded) =>
        recorded.kind === 'unrecorded' ? of({ member }) : (toExecResult(recorded) as Observable<{ member?: string }>),
      ),
      map((reached) => ({ executor: UNREACHED, ...(reached.member !== undefined && reached) })),
    );
  };

const tapePatches = (ask: CallAnswers['ask']): Patches => {
  const answer = (request: object) =>
    ask('patch', JSON.stringify(request)).pipe(map(toPatchAnswer)) as Observable<never>;
  return {
    check: (text, folder) => answer({ kind: 'check', text, folder }),
    apply: ({ plan }) => answer({ kind: 'apply', summary: plan.summary }),
  };
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
  const { retryable = false, tried } = (isObject(fault) ? fault : {}) as Partial<ModelError>;
  return throwError(() => new ModelError(line.slice(FAILED.length), retryable, tried));
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

/** What an executor answered to a request. */
const toExecResult = (recorded: Recorded): Observable<unknown> => {
  if (recorded.kind === 'unrecorded') return throwError(() => new Error(NOT_RECORDED));
  const { dir, line } = recorded.entry;
  if (dir === 'out') return of(JSON.parse(line));
  return line.startsWith(FAILED) ? throwError(() => new Error(line.slice(FAILED.length))) : EMPTY;
};

const toPatchAnswer = (recorded: Recorded): unknown =>
  recorded.kind === 'entry' ? fromSeamJson(recorded.entry.line) : { kind: 'failed', message: NOT_RECORDED };

/** Threads that are kept nowhere. What was not recorded of one succeeds at once; a stored one that was not resumed then is not there. */
export const tapeThreads = ({ ask }: Pick<CallAnswers, 'ask'>, chance: Chance) => {
  const answer = <A>(kind: keyof typeof THREAD_SEAMS, ref: string, unrecorded: Observable<A>): Observable<A> =>
    ask(THREAD_SEAMS[kind], JSON.stringify(ref)).pipe(
      concatMap((recorded) => (recorded.kind === 'unrecorded' ? unrecorded : toAnswer<A>(recorded.entry))),
    );
  const recordOf = (ref: string): ThreadRecord => ({
    write: () => {},
    close: () => EMPTY,
    isKept: chance(KEPT_DRAW, () => true),
    claim: () => answer<Claim>('claim', ref, of('current')),
    endTurn: () => answer<never>('endTurn', ref, EMPTY).pipe(ignoreElements()),
    rest: () => answer<never>('rest', ref, EMPTY).pipe(ignoreElements()),
    lost$: answer<never>('lost', ref, NEVER),
  });
  return (open: () => ThreadStore) => (): ThreadStore => ({
    ...open(),
    begin: ({ id }) => answer<unknown>('begin', id, of(null)).pipe(map(() => recordOf(id))),
    resume: (ref) =>
      answer<ResumedThread>('resume', ref, failed(NOT_RECORDED)).pipe(
        map((stored) => ({ ...stored, record: recordOf(ref) })),
      ),
    close: () => EMPTY,
  });
};

const toAnswer = <A>({ dir, line }: Extract<Recorded, { kind: 'entry' }>['entry']): Observable<A> =>
  dir === 'out' ? of(JSON.parse(line) as A) : failed(line.replace(FAILED, ''));

const failed = (reason: string): Observable<never> => throwError(() => new ThreadError(reason));
