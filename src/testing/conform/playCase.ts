/** Plays a case against a server: its rows as any marble spec, then its judge and the rules of every session. */
import { catchError, defer, map, type Observable, of, throwError, timeout } from 'rxjs';
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { META_CAPABILITIES, META_CLIENT_INFO, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import { reasonOf } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import type { SignalledServer } from '../../tapes/sessions/playSession';
import { playInOrder } from '../conversation';
import { judge } from '../judge';
import { notification, request } from '../messages';
import type { Phase } from '../phase';
import { type Score, toScore } from '../score';
import type { State } from '../step';
import { asideOf, caseServer } from './caseServer';
import type { ConformCase, Given, HarmlessTool, Observed, ObservedLine, Offer, Revision } from './conformCase';
import { expectedOf, isFor, result } from './expecting';

/** What a case is played with. */
export type CaseDeps = {
  /** Starts a server for each session. */
  server: SignalledServer;
  /** How long the server may be silent while something is to come, in ms. */
  limitMs: number;
  /** How long it may take to send what it must not send, in ms. */
  settleMs: number;
  /** In ms, for durations. */
  now: () => number;
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
    const toPlayed = (faults: readonly string[], drawing: string): Played => ({
      faults: faults.map(toVisible),
      drawing: toVisibleLines(drawing),
      observed: { revision: given.revision, lines, declared },
      ms: Math.round(deps.now() - began),
    });
    return playScore(deps, { one, score, lines }).pipe(
      map((state) => {
        const drawn = judge(state.play, state.end, 'order');
        const faults = [...faultsOf(state), ...state.remarks, ...unsentOf(state)];
        const own = one.judge?.({ revision: given.revision, lines, declared }, given);
        const isPlayed = drawn.length === 0 && unsentOf(state).length === 0;
        const found = isPlayed ? [] : faults.length > 0 ? faults : [NOT_AS_SHOWN];
        return toPlayed([...found, ...(own === undefined ? [] : [own])], drawn.join('\n'));
      }),
      catchError((error: unknown) => of(toPlayed([reasonOf(error)], ''))),
    );
  });

type Playing = { one: Pick<ConformCase, 'ending' | 'may'>; score: Score; lines: ObservedLine[] };

/** Emits the end of the session; its lines are added to `lines`. */
const playScore = (deps: CaseDeps, { one, score, lines }: Playing): Observable<State> => {
  const began = deps.now();
  const observe = boundedBy(lines, () => deps.now() - began);
  return playInOrder({ score, server: caseServer(deps.server, one, observe), asideOf: asideOf(score, one) }, deps).pipe(
    timeout({ first: LONGEST_LIMITS * deps.limitMs, with: () => throwError(() => new Error(NOT_OVER)) }),
  );
};

const NOT_AS_SHOWN = 'the server sends something else';

const NOT_OVER = 'the session does not come to its end: the server goes on sending what is no part of it';

/** How many limits a session may take in all, however much a server sends that is no matter of the case. */
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

const unsentOf = ({ play: { score, sent } }: State): string[] => {
  const letters = score.client.notes.slice(sent).map(({ letter }) => letter);
  return letters.length === 0 ? [] : [`the client did not get to send ${letters.join(', ')}`];
};

const phasesOf = (one: ConformCase, given: Given, declared: object): Phase[] => {
  const opening = openingOf(given, declared);
  const { client, server } = one;
  const values = { ...opening.values, p: given.probe(), P: result('p'), ...one.values?.(given) };
  const isOpened = one.opening === 'none' || given.revision === MODERN_VERSION;
  return [...(isOpened ? [] : [opening]), { client, server, values }];
};

const CLIENT = { name: 'codex-rx conform', version: '1' };

/** The handshake of a revision that has one. */
export const openingOf = ({ revision }: Pick<Given, 'revision'>, capabilities: object = {}) => ({
  client: 'i-n',
  server: '-I-',
  values: {
    i: request('initialize', { protocolVersion: revision, capabilities, clientInfo: CLIENT }),
    I: result('i'),
    n: notification('notifications/initialized'),
  },
});

/** What the values of a case are made from, at a revision. */
export const toGiven = (
  offer: Offer,
  revision: Revision,
  { tool, declared = {} }: { tool?: HarmlessTool; declared?: unknown } = {},
): Given => {
  const isModern = revision === MODERN_VERSION;
  const meta = { [META_VERSION]: revision, [META_CLIENT_INFO]: CLIENT, [META_CAPABILITIES]: declared };
  const withMeta = (params: object = {}): object => {
    const own = toObject(toObject(params)._meta);
    return { ...params, _meta: { ...meta, ...own } };
  };
  const asked: Given['request'] = (method, params) => request(method, isModern ? withMeta(params) : params);
  return {
    revision,
    capabilities: toObject(offer.capabilities[revision]),
    request: asked,
    probe: () => asked(isModern ? 'server/discover' : 'ping'),
    tool: tool ?? { name: '', arguments: {} },
  };
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

/** Plays rows as they are, whoever answers what. */
export const playRows = (
  deps: CaseDeps,
  phases: readonly Phase[],
): Observable<{ state: State; lines: ObservedLine[] }> =>
  defer(() => {
    const lines: ObservedLine[] = [];
    return playScore(deps, { one: { ending: 'anyhow' }, score: toScore(phases), lines }).pipe(
      map((state) => ({ state, lines })),
    );
  });
