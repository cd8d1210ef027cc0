/** Learns what a server offers: the revisions that it speaks, its name, and the capabilities that it declares. */
import { concatMap, defaultIfEmpty, defer, from, map, type Observable, tap, toArray } from 'rxjs';
import { isObject, textOf, toObject } from '../../protocol/jsonrpc/json';
import { LEGACY_VERSIONS, META_SERVER_INFO, MODERN_VERSION } from '../../protocol/mcp/mcp';
import type { ObservedLine, Offer, Revision } from './conformCase';
import { response } from './expecting';
import { type CaseDeps, openingOf, playRows, resultIn, toGiven } from './playCase';

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

/** Asks the server, in a session for each revision. Emits the offer once, and completes. Errors with StartError if there is none. */
export const learnOffer = (deps: CaseDeps): Observable<Offer> =>
  from([...LEGACY_VERSIONS].reverse()).pipe(
    concatMap((revision) => ask(deps, revision)),
    tap(checkAnswered),
    toArray(),
    concatMap((legacy) => ask(deps, MODERN_VERSION).pipe(map((modern) => toOffer([...legacy.reverse(), modern])))),
  );

const ask = (deps: CaseDeps, revision: Revision): Observable<Answered> =>
  defer(() => {
    const began = deps.now();
    const isModern = revision === MODERN_VERSION;
    const opening = openingOf({ revision });
    const { i, n } = opening.values;
    const values = { i: isModern ? toGiven(NO_OFFER, revision).probe() : i, I: response('i'), n };
    return playRows(deps, [{ client: isModern ? 'i-' : 'i-n', server: '-I', values }]).pipe(
      map(({ state, lines }) => ({
        revision,
        result: resultIn(state, 'i'),
        lines,
        ms: lines.find(({ dir }) => dir === 'out')?.t ?? deps.now() - began,
      })),
      defaultIfEmpty({ revision, lines: [], ms: 0 }),
    );
  });

/** A server that sends nothing in one revision is not asked in the others: each would take the whole time-out. */
const checkAnswered = (answered: Answered): void => {
  if (!answered.lines.some(({ dir }) => dir === 'out')) throw new StartError(reasonIn(answered));
};

const NO_OFFER: Offer = { name: '', revisions: [], capabilities: {}, startMs: 0 };

const toOffer = (answers: readonly Answered[]): Offer => {
  const spoken = answers.filter(isSpoken);
  const [first] = answers;
  if (spoken.length === 0) throw new StartError(reasonIn(answers.at(-2) ?? (first as Answered)));
  const newest = spoken.at(-1)?.result ?? {};
  const info = toObject(newest.serverInfo ?? toObject(newest._meta)[META_SERVER_INFO]);
  return {
    name:
      [textOf(info.name), textOf(info.version)].filter((text) => text !== '').join(' ') || 'a server without a name',
    revisions: spoken.map(({ revision }) => revision),
    capabilities: Object.fromEntries(spoken.map(({ revision, result }) => [revision, toObject(result?.capabilities)])),
    startMs: Math.round(Math.max(...spoken.map(({ ms }) => ms))),
  };
};

const isSpoken = ({ revision, result }: Answered): boolean => {
  if (!isObject(result)) return false;
  if (revision !== MODERN_VERSION) return result.protocolVersion === revision;
  return Array.isArray(result.supportedVersions) && result.supportedVersions.includes(revision);
};

const reasonIn = ({ lines, revision }: Answered): string => {
  const failed = lines.find(({ dir }) => dir === 'note')?.line;
  if (failed !== undefined) return failed;
  const last = lines.findLast(({ dir }) => dir === 'err')?.line;
  const exit = lines.find(({ dir }) => dir === 'exit')?.line;
  const answered = lines.find(({ dir }) => dir === 'out')?.line.slice(0, MAX_CHARS);
  const seen = answered === undefined ? 'it sent nothing' : `it sent ${answered}`;
  return [
    `the server speaks no revision of MCP: to initialize with ${revision} ${seen}`,
    exit && `it ended with ${exit}`,
    last && `stderr: ${last.slice(0, MAX_CHARS)}`,
  ]
    .filter(Boolean)
    .join('; ');
};

const MAX_CHARS = 200;
