/** Checks the server of the command line, and writes the tapes of what fails. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  catchError,
  concatMap,
  endWith,
  map,
  type Observable,
  of,
  switchMap,
  takeUntil,
  takeWhile,
  tap,
  toArray,
} from 'rxjs';
import { version } from '../../../package.json';
import { writeNew } from '../../app/tapes/writeFiles';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { listenHttp } from '../../io/http/listenHttp';
import { httpPost } from '../../io/http/sendRequest';
import { isHttpUrl, toHttpListen, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { isFile, readRegular } from '../../io/paths/look';
import { parseObject } from '../../protocol/jsonrpc/json';
import { noBackpressure } from '../../streams/backpressure';
import { TAPE_VERSION } from '../../tapes/format/tape';
import type { SignalledServer } from '../../tapes/sessions/playSession';
import { toServer } from '../../tapes/sessions/toServer';
import { bytesIn } from '../../testing/conform/caseServer';
import { ALL_RULES, CASES } from '../../testing/conform/caseTable';
import { type Choice, conform as checkServer, countOf, type Place, type Result } from '../../testing/conform/conform';
import type { Offer, Sentence } from '../../testing/conform/conformCase';
import { httpExchanges } from '../../testing/conform/httpExchanges';
import { nameOf, toKnownFailures } from '../../testing/conform/knownFailures';
import { learnAgent, learnOffer } from '../../testing/conform/learnOffer';
import type { HarmlessTool } from '../../testing/conform/needs';
import type { CaseDeps } from '../../testing/conform/playCase';
import { probeServers } from '../../testing/conform/probeServers';
import type { Conformance } from '../../testing/conform/report';
import { waitText } from '../../testing/conform/sentLines';
import { remarkAs } from '../ending';
import { printOver } from '../terminal';
import type { Conform } from './options';

/** Long enough for a program that a package manager downloads first. */
const START_LIMIT_MS = 60_000;
/** How long a server that stays may take to send what it must not send. */
const SETTLE_MS = 300;

/** A server that sends more in a session fails. */
const MAX_BYTES = 2 ** 27;

/** How long the body of a response may take. */
const BODY_MS = 5_000;

/** Emits the conformance of the server once, and completes; at `stop$` what was checked until then. What fails is recorded. */
export const startChecking = (
  given: Conform,
  table: Pick<Choice, 'cases' | 'rules'>,
  stop$: Observable<unknown>,
): Observable<Conformance> => {
  const deps = depsOf(given);
  const all = [...CASES, ...ALL_RULES];
  const known = given.expect === undefined ? new Set<string>() : toKnownFailures(readRegular(given.expect), all);
  const check = (choice: Choice, offer: Offer): Observable<Conformance> => {
    const limitMs = given.timeout * 1000 + 2 * offer.startMs;
    const total = countOf({ offer, choice });
    return checkServer({ deps: { ...deps, limitMs }, offer, choice }).pipe(
      takeUntil(stop$),
      tap(progressTo(total)),
      map(keepFailure(given)),
      toArray(),
      map((found) => ({ results: inOrder(found, all), unchecked: total - found.length, offer, known, version })),
    );
  };
  return withServers(given, (servers) =>
    learn(given, deps).pipe(
      takeUntil(stop$),
      tap((offer) => remarkAs('conform')(offerText(offer))),
      concatMap((offer) => check({ ...toChoice(given, table), ...(servers && { servers }) }, offer)),
    ),
  );
};

const offerText = ({ name, revisions, probe }: Offer): string =>
  `${name} speaks ${revisions.join(', ')}${probe === undefined ? '' : `; it does not answer ping, so each case ends by ${probe}`}`;

/** Listens for servers of MCP of an agent that has prompts as long as the check goes on; without any if nothing can listen. */
const withServers = <T>(
  { protocol, prompt }: Conform,
  check: (servers: Choice['servers']) => Observable<T>,
): Observable<T> => {
  if (!protocol.includes('acp') || prompt.length === 0) return check(undefined);
  const listen = listenHttp(toHttpListen({ host: '127.0.0.1', port: 0 }, []));
  return probeServers(listen, process.execPath).pipe(
    catchError(() => of(undefined)),
    switchMap((servers) =>
      check(servers).pipe(
        map((value) => ({ value })),
        endWith(undefined),
      ),
    ),
    takeWhile((item) => item !== undefined),
    map(({ value }) => value),
  );
};

const learn = (given: Conform, deps: CaseDeps): Observable<Offer> => {
  const onWait: CaseDeps['onWait'] = (lines, ms) => remarkAs('conform')(waitText(lines, ms, deps.rest?.()));
  const learning = { ...deps, onWait };
  return given.protocol.includes('acp')
    ? learnAgent(learning, { folder: process.cwd(), prompts: given.prompt })
    : learnOffer(learning, toTools(given));
};

const depsOf = ({ url, command }: Conform): CaseDeps => {
  const { rest, ...watching } = watchRest();
  const own = { env: process.env, cwd: process.cwd(), version, started: new Date(), bytesIn, maxBytes: MAX_BYTES };
  return {
    server: toServer({ ...own, ...watching }, url === undefined ? command : [url], 'lines'),
    rest,
    ...(url !== undefined && { http: exchangesWith(url) }),
    limitMs: START_LIMIT_MS,
    settleMs: SETTLE_MS,
    now: () => performance.now(),
  };
};

/** Sees what the server has sent of a line that it has not ended: of one session, as in those by which it is learned. */
const watchRest = () => {
  let text = ''; // its beginning
  const onStart = (): void => {
    text = '';
  };
  const onOutput = (chunk: Uint8Array): void => {
    const end = chunk.lastIndexOf(LF);
    if (end !== -1) text = '';
    if (text.length < MAX_REST) text += Buffer.from(chunk.subarray(end + 1, end + 1 + MAX_REST)).toString('latin1');
  };
  return { onStart, onOutput, rest: () => text };
};

const LF = 10;
const MAX_REST = 1_000;

const exchangesWith = (url: string): SignalledServer =>
  httpExchanges({ send: httpPost({ backpressure: noBackpressure, env: process.env }), url, bodyMs: BODY_MS });

const toChoice = (given: Conform, table: Pick<Choice, 'cases' | 'rules'>): Choice => ({
  ...table,
  ...(given.revision.length > 0 && { revisions: given.revision }),
  folder: process.cwd(),
  kind: given.url === undefined ? 'process' : 'url',
  jobs: given.jobs,
});

const toTools = ({ tool, arguments: args }: Conform): HarmlessTool[] =>
  tool.map((name, at) => ({ name, arguments: parseObject(args[at] ?? '{}') }));

const inOrder = (results: readonly Result[], table: readonly Sentence[]): Result[] =>
  results.toSorted(
    (a, b) => a.revision.localeCompare(b.revision) || table.indexOf(a.sentence) - table.indexOf(b.sentence),
  );

/** Shows in a terminal how far it is. */
const progressTo = (total: number): ((one: Result) => void) => {
  let [done, failed] = [0, 0];
  return (one) => {
    done += 1;
    if (one.verdict === 'failed') failed += 1;
    printOver(done === total ? '' : `${done}/${total}, ${failed} failed: ${nameOf(one)}`);
  };
};

/** Writes the tape of a failure, if there is a folder for it. Emits the result with its place and without its lines, which may be many megabytes. */
export const keepFailure = ({ record: folder, url, command }: Conform): ((one: Result) => Result) => {
  const server = (url === undefined ? command : [url]).map(withoutSecrets);
  const starter = [...command, 'package.json'].find(isFile);
  return ({ lines, ...one }) => {
    if (one.verdict !== 'failed') return one;
    const own = starter === undefined ? one : { ...one, place: { uri: toUri(starter), line: 1 } };
    return folder === undefined || lines === undefined
      ? own
      : { ...one, place: toTape({ folder, server }, one, lines) };
  };
};

const withoutSecrets = (word: string): string => (isHttpUrl(word) ? toPublicUrl(new URL(word)) : word);

/** Lines of a tape before its first entry, and lines count from 1. */
const LINES_BEFORE = 2;

/** Writes the session of a failed case. The failure is in the last line of the server. */
const toTape = (
  { folder, server }: { folder: string; server: readonly string[] },
  one: Result,
  lines: NonNullable<Result['lines']>,
): Place => {
  makeNamedFolder(folder);
  const path = join(folder, `${nameOf(one)}.jsonl`);
  const meta = { meta: { version: TAPE_VERSION, recorder: `codex-rx ${version}`, command: server, case: nameOf(one) } };
  writeNew(path, `${[meta, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
  return { uri: toUri(path), line: lines.findLastIndex(({ dir }) => dir === 'out') + LINES_BEFORE };
};

const toUri = (path: string): string => {
  const whole = resolve(path);
  const own = relative(process.cwd(), whole);
  const isOutside = own.startsWith('..') || isAbsolute(own);
  const uri = (isOutside ? `file:///${whole}` : own).replaceAll(sep, '/');
  return encodeURI(uri.replace('file:////', 'file:///'));
};
