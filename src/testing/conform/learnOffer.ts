/** Learns what a server offers: its revisions, its name, the capabilities that it declares, and what an agent asks of its client for each `--prompt`. */
import { concatMap, defaultIfEmpty, defer, from, map, type Observable, of, tap, toArray } from 'rxjs';
import { isObject, parseObject, textOf, toObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { LEGACY_VERSIONS, META_SERVER_INFO, MODERN_VERSION } from '../../protocol/mcp/mcp';
import { request } from '../messages';
import { clientSide, kindsOf, WITH_ALL } from './clientSide';
import { ACP_1, type ObservedLine, type Offer, type Revision } from './conformCase';
import { exchanged, response } from './expecting';
import { learnTools } from './learnTools';
import { type HarmlessTool, HTTP_SESSION, type LearnedPrompt } from './needs';
import { type CaseDeps, playRows, resultIn } from './playCase';
import { endText, firstResponse, sentText } from './sentLines';
import { openingOf, SESSION, toGiven } from './speaking';

/** The server cannot be checked: it does not start, or speaks no revision. */
class StartError extends Error {
  override name = 'StartError';
}

type Answered = {
  revision: Revision;
  result?: Readonly<Record<string, unknown>>;
  lines: readonly ObservedLine[];
  ms: number;
};

/**
 * Asks the server, in a session for each revision, and calls the tools once. Emits the offer once, and completes. Errors with StartError if there
 * is none.
 */
export const learnOffer = (deps: CaseDeps, tools: readonly HarmlessTool[] = []): Observable<Offer> =>
  ask(deps, NEWEST_LEGACY).pipe(
    tap((first) => checkAnswered(deps, first)),
    concatMap((first) => {
      const limitMs = Math.min(deps.limitMs, AGAIN_MS + 2 * first.ms);
      return from(OTHERS).pipe(
        concatMap((revision) => ask({ ...deps, limitMs }, revision)),
        toArray(),
        map((others) => toOffer([...others.slice(0, -1), first, ...others.slice(-1)])),
      );
    }),
    concatMap((offer) => learnProbe(deps, offer)),
    concatMap((offer) => learnSessions(deps, offer)),
    concatMap((offer) => learnTools(deps, offer, tools)),
  );

/** Asked first. A server that does not respond to it is asked nothing else: each session would take the whole time-out. */
const NEWEST_LEGACY = LEGACY_VERSIONS.at(-1) as Revision;
/** Oldest first. */
const OTHERS: readonly Revision[] = [...LEGACY_VERSIONS.slice(0, -1), MODERN_VERSION];
/** How long a server may be silent that has answered before, besides the time that it takes to start: an older one over HTTP answers no discover. */
const AGAIN_MS = 3_000;

/** Adds another probe for a server without `ping`: that is one fault, and not one of each case that ends by a probe. */
const learnProbe = (deps: CaseDeps, offer: Offer): Observable<Offer> => {
  const revision = offer.revisions.findLast((one) => one !== MODERN_VERSION);
  const listed = revision && LISTED.find((name) => name in toObject(offer.capabilities[revision]));
  if (revision === undefined || listed === undefined) return of(offer);
  const values = { p: request('ping'), P: response('p') };
  const rows = [...openingOf({ revision, folder: '/' }), { client: 'p-', server: '-P', values }];
  const limitMs = Math.min(deps.limitMs, AGAIN_MS + 2 * offer.startMs);
  return playRows({ ...deps, limitMs, wholeMs: limitMs }, rows).pipe(
    map(({ state }) => (resultIn(state, 'p') === undefined ? { ...offer, probe: `${listed}/list` } : offer)),
  );
};

/** Capabilities whose list costs little. */
const LISTED = ['tools', 'prompts', 'resources'];

/** Adds whether a server behind a URL has sessions. */
const learnSessions = (deps: CaseDeps, offer: Offer): Observable<Offer> => {
  const revision = offer.revisions.findLast((one) => one !== MODERN_VERSION);
  if (deps.http === undefined || revision === undefined) return of(offer);
  const [handshake] = openingOf({ revision, folder: '/' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const values = { i: { letter: 'i', headers, body: handshake?.values?.i }, I: exchanged('i', () => undefined) };
  return playRows({ ...deps, server: deps.http }, [{ client: 'i-', server: '-I', values }], { over: 'http' }).pipe(
    map(({ lines }) => {
      const answer = parseObject(lines.find(({ dir }) => dir === 'out')?.line ?? '');
      const added = answer?.session ? { [HTTP_SESSION]: true } : {};
      const capabilities = Object.entries(offer.capabilities).map(([name, own]) => [name, { ...own, ...added }]);
      return { ...offer, capabilities: Object.fromEntries(capabilities) };
    }),
  );
};

/** The same of an agent, in a session of its own and one for each prompt. */
export const learnAgent = (deps: CaseDeps, work: AgentWork): Observable<Offer> =>
  greetAgent(deps, work.folder).pipe(concatMap((offer) => learnPrompts(deps, offer, work)));

const greetAgent = (deps: CaseDeps, folder: string): Observable<Offer> =>
  playRows(
    { ...deps, wholeMs: 2 * deps.limitMs },
    openingOf({ revision: ACP_1, folder }).map((phase) => ({
      ...phase,
      values: { ...phase.values, I: response('i'), S: response('s') },
    })),
  ).pipe(
    map(({ state, lines }): Offer => {
      const result = resultIn(state, 'i');
      if (typeof result?.protocolVersion !== 'number')
        throw new StartError(reasonIn({ revision: ACP_1, lines }, 'does not speak ACP', { rest: deps.rest?.() }));
      const session = resultIn(state, 's');
      return {
        name: nameIn(result.agentInfo),
        revisions: [ACP_1],
        capabilities: { [ACP_1]: { ...toObject(result.agentCapabilities), ...(session && { session }) } },
        startMs: firstResponse(lines)?.t ?? 0,
      };
    }),
  );

const ask = (deps: CaseDeps, revision: Revision): Observable<Answered> =>
  defer(() => {
    const began = deps.now();
    const isModern = revision === MODERN_VERSION;
    const i = toGiven(NO_OFFER, revision).probe();
    const phases = isModern ? [{ client: 'i-', server: '-I', values: { i } }] : openingOf({ revision, folder: '/' });
    const rows = phases.map((phase) => ({ ...phase, values: { ...phase.values, I: response('i') } }));
    return playRows({ ...deps, wholeMs: deps.limitMs }, rows).pipe(
      map(({ state, lines }) => ({
        revision,
        result: resultIn(state, 'i'),
        lines,
        ms: firstResponse(lines)?.t ?? deps.now() - began,
      })),
      defaultIfEmpty({ revision, lines: [], ms: 0 }),
    );
  });

const checkAnswered = ({ rest }: CaseDeps, answered: Answered): void => {
  if (firstResponse(answered.lines) === undefined)
    throw new StartError(reasonIn(answered, 'does not respond', { rest: rest?.() }));
};

const NO_OFFER: Offer = { name: '', revisions: [], capabilities: {}, startMs: 0 };

const toOffer = (answers: readonly Answered[]): Offer => {
  const spoken = answers.filter(isSpoken);
  const [first] = answers;
  if (spoken.length === 0)
    throw new StartError(
      reasonIn(answers.at(-2) ?? (first as Answered), 'speaks no revision of MCP', { remedy: AGENT }),
    );
  const newest = spoken.at(-1)?.result ?? {};
  return {
    name: nameIn(newest.serverInfo ?? toObject(newest._meta)[META_SERVER_INFO]),
    revisions: spoken.map(({ revision }) => revision),
    capabilities: Object.fromEntries(spoken.map(({ revision, result }) => [revision, toObject(result?.capabilities)])),
    startMs: Math.round(Math.max(...spoken.map(({ ms }) => ms))),
  };
};

const nameIn = (given: unknown): string => {
  const { name, version } = toObject(given);
  return [textOf(name), textOf(version)].filter((text) => text !== '').join(' ') || 'a server without a name';
};

/** What an agent of ACP does when it is taken for a server of MCP. */
const AGENT = 'if it is an agent that speaks ACP, add --protocol acp';

const isSpoken = ({ revision, result }: Answered): boolean => {
  if (!isObject(result)) return false;
  if (revision !== MODERN_VERSION) return result.protocolVersion === revision;
  return Array.isArray(result.supportedVersions) && result.supportedVersions.includes(revision);
};

const reasonIn = ({ lines, revision }: Pick<Answered, 'lines' | 'revision'>, what: string, more: More = {}): string => {
  const failed = lines.find(({ dir }) => dir === 'note')?.line;
  if (failed !== undefined) return failed;
  const asked = revision === ACP_1 ? 'initialize of ACP' : `initialize with ${revision}`;
  const remedy = lines.some(({ dir }) => dir === 'out') ? more.remedy : undefined;
  return `the server ${what}: to ${asked} ${sentText(lines, more.rest)}${endText(lines)}${remedy ? `; ${remedy}` : ''}`;
};

type More = { remedy?: string; rest?: string | undefined };

/** Where sessions work, and what they are asked. */
export type AgentWork = {
  /** Absolute. */
  folder: string;
  /** Texts that do no harm. */
  prompts: readonly string[];
};

/** Emits the offer with what was learned, the prompts that ask for least first, and completes. */
export const learnPrompts = (deps: CaseDeps, offer: Offer, { folder, prompts }: AgentWork): Observable<Offer> =>
  from(offer.capabilities[ACP_1]?.session === undefined ? [] : prompts).pipe(
    concatMap((text) => learnPrompt(deps, folder, text)),
    toArray(),
    map((learned) => ({ ...offer, prompts: learned.toSorted((a, b) => a.asks.length - b.asks.length) })),
  );

const learnPrompt = (deps: CaseDeps, folder: string, text: string): Observable<LearnedPrompt> => {
  const values = {
    a: request('session/prompt', { sessionId: SESSION, prompt: [{ type: 'text', text }] }),
    A: response('a'),
  };
  const phases = [...openingOf({ revision: ACP_1, folder }, {}, WITH_ALL), { client: 'a-', server: '-A', values }];
  return playRows(deps, phases, { clientSide: clientSide() }).pipe(
    map(({ lines }) => {
      const asked = lines
        .filter(({ dir }) => dir === 'out')
        .flatMap(({ line }) => parseLine(line).messages)
        .filter((message) => message.kind === 'request');
      return {
        text,
        asks: [...new Set(asked.map(({ method }) => method))],
        options: [...new Set(asked.flatMap(({ params }) => kindsOf(params)))],
      };
    }),
  );
};
