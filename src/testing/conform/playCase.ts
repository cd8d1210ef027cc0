/** Plays a case against a server: its rows as any marble spec, then its judge and the rules of every session. */
import {
  catchError,
  connect,
  defer,
  endWith,
  identity,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  of,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { reasonOf } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import type { SignalledServer } from '../../tapes/sessions/playSession';
import { playInOrder } from '../conversation';
import { judge } from '../judge';
import type { Phase } from '../phase';
import { type Score, toScore } from '../score';
import { openState, type State } from '../step';
import { asideOf, caseServer } from './caseServer';
import type { ConformCase, Given, Observed, ObservedLine } from './conformCase';
import { expectedOf, guarded, isFor } from './expecting';
import { toObserved } from './observed';
import { lastOnStderr } from './sentLines';
import { commonOf, openingOf } from './speaking';

/** What a case is played with. */
export type CaseDeps = {
  /** Starts a server for each session. */
  server: SignalledServer;
  /** The same behind a URL, which takes whole exchanges of HTTP. Default: it is behind none. */
  http?: SignalledServer;
  /** How long the server may be silent while something is to come, in ms. */
  limitMs: number;
  /** How long it may take to send what it must not send, in ms. */
  settleMs: number;
  /** In ms, for durations. */
  now: () => number;
  /** How long a session may take in all, however much the server sends that is no part of it, in ms. Default: 20 limits. */
  wholeMs?: number;
  /** Receives now and then what has passed in a session that goes on, after so many ms. Default: nothing does. */
  onWait?: (lines: readonly ObservedLine[], ms: number) => void;
  /** What the server has sent of a line without its end; empty if there is nothing. Default: unknown. */
  rest?: () => string;
};

/** How a case went. */
export type Played = {
  /** What is wrong, the first first; none if the server does what the case says. */
  faults: readonly string[];
  /** The rows, with the first difference marked; empty if there is none. */
  drawing: string;
  /** All that passed. */
  observed: Observed;
  /** How long it took. */
  ms: number;
};

/** Emits how a case went, and completes. What the server does wrong is no error. */
export const playCase = (deps: CaseDeps, one: ConformCase, given: Given): Observable<Played> =>
  defer(() => {
    const began = deps.now();
    const lines: ObservedLine[] = [];
    const declared = toObject(one.capabilities);
    const score = toScore(phasesOf(one, given, declared));
    const observed = toObserved({ revision: given.revision, lines, declared });
    const toPlayed = (faults: readonly string[], drawing: string): Played => ({
      faults: faults.map(toVisible),
      drawing: toVisibleLines(drawing),
      observed,
      ms: Math.round(deps.now() - began),
    });
    const server = one.over === 'http' ? (deps.http ?? deps.server) : deps.server;
    return playScore({ ...deps, server }, { one, score, lines }).pipe(
      map((state) => {
        const drawn = judge(state.play, state.end, 'order');
        const faults = [...faultsOf(state), ...state.remarks, ...causeOf(state, lines), ...unsentOf(state)];
        const own = guarded(() => one.judge?.(observed, given))(observed);
        const isPlayed = drawn.length === 0 && unsentOf(state).length === 0;
        const found = isPlayed ? [] : faults.length > 0 ? faults : [NOT_AS_SHOWN];
        return toPlayed([...found, ...(own === undefined ? [] : [own])], drawn.join('\n'));
      }),
      catchError((error: unknown) => of(toPlayed([reasonOf(error)], ''))),
    );
  });

type Playing = { one: Playable; score: Score; lines: ObservedLine[] };

/** How a session is played. */
type Playable = Pick<ConformCase, 'ending' | 'may' | 'over' | 'clientSide'>;

/** Emits the end of the session; its lines are added to `lines`. */
const playScore = (deps: CaseDeps, { one, score, lines }: Playing): Observable<State> => {
  const began = deps.now();
  const observe = boundedBy(lines, () => deps.now() - began);
  const aside = one.over === 'http' ? undefined : asideOf(score, one);
  const server = caseServer(deps.server, one, observe);
  const { limitMs, wholeMs = LONGEST_LIMITS * limitMs, onWait } = deps;
  return playInOrder({ score, server, ...(aside && { asideOf: aside }) }, deps).pipe(
    timeout({ first: wholeMs, with: () => throwError(() => new Error(NOT_OVER)) }),
    onWait === undefined ? identity : remindUntil(REMINDING, () => onWait(lines, deps.now() - began)),
  );
};

/** When a person wants to know what a client waits for. */
const REMINDING = { firstMs: 3_000, everyMs: 10_000 };

const NOT_AS_SHOWN = 'the server sends something else';

const NOT_OVER = 'the session does not come to its end: the server goes on sending what is no part of it';

/** How many limits a session may take in all. */
const LONGEST_LIMITS = 20;

/** Lines and characters of a session that are kept. A server that sends more fails the case. */
const MAX_LINES = 50_000;
const MAX_CHARS = 2 ** 27;

const boundedBy = (lines: ObservedLine[], elapsed: () => number) => {
  let chars = 0;
  return (line: Omit<ObservedLine, 't'>): void => {
    chars += line.line.length;
    if (lines.length >= MAX_LINES || chars > MAX_CHARS) throw new Error('the server sends more than is read of it');
    lines.push({ t: Math.round(elapsed()), ...line });
  };
};

/** The texts of judged messages that came, but are not as they must be. */
const faultsOf = ({ play: { score, received } }: State): string[] =>
  score.server.flatMap(({ notes }) =>
    notes.flatMap(({ value, letter }) => {
      const judged = expectedOf(value);
      const actual = received.flat().find((one) => judged !== undefined && isFor(judged.toJSON(), one.value));
      const fault = actual && judged?.faultOf(actual.value);
      return fault === undefined ? [] : [`${letter}: ${fault}`];
    }),
  );

/** What a server that ended too soon wrote on stderr: often why, such as a port that another server of its kind has. */
const causeOf = ({ end, remarks }: State, lines: readonly ObservedLine[]): string[] => {
  const text = end === undefined || remarks.length === 0 ? undefined : lastOnStderr(lines);
  return text === undefined ? [] : [`stderr: ${text}`];
};

const unsentOf = ({ play: { score, sent } }: State): string[] => {
  const letters = score.client.notes.slice(sent).map(({ letter }) => letter);
  return letters.length === 0 ? [] : [`the client did not get to send ${letters.join(', ')}`];
};

const phasesOf = (one: ConformCase, given: Given, declared: object): Phase[] => {
  const { client, server } = one;
  const all = openingOf(given, {}, declared).map((phase) => phase.values);
  const values = Object.assign({}, ...all, commonOf(given), one.values?.(given));
  const opening = one.over === 'http' ? [] : openingOf(given, one, declared);
  return [...opening, { client, server, values }];
};

/** The result of the request of a letter; undefined if it was answered by an error, or not at all. */
export const resultIn = (
  { play: { received } }: State,
  letter: string,
): Readonly<Record<string, unknown>> | undefined => {
  const found = received.flat().find(({ value }) => isObject(value) && value.id === `<id of ${letter}>`);
  const outcome = toObject(found?.value).result;
  return isObject(outcome) ? outcome : undefined;
};

/** Plays rows as they are, whoever answers what. A session that does not come to its end is one without answers. */
export const playRows = (
  deps: CaseDeps,
  phases: readonly Phase[],
  how: Playable = {},
): Observable<{ state: State; lines: ObservedLine[] }> =>
  defer(() => {
    const lines: ObservedLine[] = [];
    const score = toScore(phases);
    return playScore(deps, { one: { ...how, ending: 'anyhow' }, score, lines }).pipe(
      catchError(() => of(openState(score))),
      map((state) => ({ state, lines })),
    );
  });

/** When to remind, in ms: first, and then again and again. */
export type Reminding = { firstMs: number; everyMs: number };

/**
 * Calls `remind` after a while, and then again and again, until the source emits or ends. Emits, completes and errors with the source.
 *   in      -------a--|
 *   remind  ---x-x          (firstMs 3, everyMs 2)
 *   out     -------a--|
 */
export const remindUntil = <T>({ firstMs, everyMs }: Reminding, remind: () => void): MonoTypeOperatorFunction<T> =>
  connect((source$) =>
    merge(
      source$,
      timer(firstMs, everyMs).pipe(takeUntil(source$.pipe(endWith(undefined))), tap(remind), ignoreElements()),
    ),
  );
