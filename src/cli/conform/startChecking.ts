/** Checks the server of the command line, and writes the tapes of what fails. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { concatMap, map, type Observable, takeUntil, tap, toArray } from 'rxjs';
import { version } from '../../../package.json';
import { writeNew } from '../../app/tapes/writeFiles';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { httpPost } from '../../io/http/sendRequest';
import { isHttpUrl, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { isFile, readRegular } from '../../io/paths/look';
import { parseObject } from '../../protocol/jsonrpc/json';
import { noBackpressure } from '../../streams/backpressure';
import { TAPE_VERSION } from '../../tapes/format/tape';
import type { SignalledServer } from '../../tapes/sessions/playSession';
import { toServer } from '../../tapes/sessions/verifySession';
import { bytesIn } from '../../testing/conform/caseServer';
import { ALL_RULES, CASES } from '../../testing/conform/caseTable';
import { type Choice, conform as checkServer, countOf, type Result } from '../../testing/conform/conform';
import type { Offer, Sentence } from '../../testing/conform/conformCase';
import { httpExchanges } from '../../testing/conform/httpExchanges';
import { nameOf, toKnownFailures } from '../../testing/conform/knownFailures';
import { learnAgent, learnOffer } from '../../testing/conform/learnOffer';
import type { HarmlessTool } from '../../testing/conform/needs';
import type { CaseDeps } from '../../testing/conform/playCase';
import type { Conformance, Place } from '../../testing/conform/report';
import { remarkAs } from '../ending';
import { printOver } from '../terminal';
import type { Conform } from './options';

/** Long enough for a program that a package manager downloads first. */
const START_LIMIT_MS = 60_000;
/** How long a server that stays may take to send what it must not send. */
const SETTLE_MS = 300;

/** How long the body of a response may take. */
const BODY_MS = 5_000;

/** Emits the conformance of the server once, and completes; at `stop$` what was checked until then. What fails is recorded. */
export const startChecking = (
  given: Conform,
  table: Pick<Choice, 'cases' | 'rules'>,
  stop$: Observable<unknown>,
): Observable<Conformance> => {
  const server = serverOf(given);
  const deps = depsOf(given, server);
  const all = [...CASES, ...ALL_RULES];
  const known = given.expect === undefined ? new Set<string>() : toKnownFailures(readRegular(given.expect), all);
  const choice = toChoice(given, table);
  return learn(given, deps).pipe(
    takeUntil(stop$),
    tap((offer) => remarkAs('conform')(`${offer.name} speaks ${offer.revisions.join(', ')}`)),
    concatMap((offer) => {
      const limitMs = given.timeout * 1000 + 2 * offer.startMs;
      const total = countOf({ offer, choice });
      return checkServer({ deps: { ...deps, limitMs }, offer, choice }).pipe(
        takeUntil(stop$),
        tap(progressTo(total)),
        tap((one) => record(given.record, one, server.map(withoutSecrets))),
        toArray(),
        map((found) => ({ results: inOrder(found, all), unchecked: total - found.length, placeOf: placeOf(given) })),
        map((checked) => ({ offer, known, version, ...checked })),
      );
    }),
  );
};

const learn = (given: Conform, deps: CaseDeps): Observable<Offer> =>
  given.protocol.includes('acp') ? learnAgent(deps, process.cwd()) : learnOffer(deps, toTools(given));

const serverOf = ({ url, command }: Conform): readonly string[] => (url === undefined ? command : [url]);

const depsOf = ({ url }: Conform, server: readonly string[]): CaseDeps => ({
  server: toServer({ env: process.env, cwd: process.cwd(), version, started: new Date(), bytesIn }, server, 'lines'),
  ...(url !== undefined && { http: exchangesWith(url) }),
  limitMs: START_LIMIT_MS,
  settleMs: SETTLE_MS,
  now: () => performance.now(),
});

const exchangesWith = (url: string): SignalledServer =>
  httpExchanges({ send: httpPost({ backpressure: noBackpressure, env: process.env }), url, bodyMs: BODY_MS });

const withoutSecrets = (word: string): string => (isHttpUrl(word) ? toPublicUrl(new URL(word)) : word);

const toChoice = (given: Conform, table: Pick<Choice, 'cases' | 'rules'>): Choice => ({
  ...table,
  ...(given.revision.length > 0 && { revisions: given.revision }),
  ...(given.prompt !== undefined && { prompt: given.prompt }),
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

/** A failure is in the last line of the server on its tape, if one is written; else the server itself is its place. */
const placeOf = ({ record: folder, command }: Conform) => {
  const starter = [...command, 'package.json'].find(isFile);
  const server = starter === undefined ? undefined : { uri: toUri(starter), line: 1 };
  return (one: Result): Place | undefined => {
    if (folder === undefined || one.observed === undefined) return server;
    const last = one.observed.lines.findLastIndex(({ dir }) => dir === 'out');
    return { uri: toUri(tapeOf(folder, one)), line: last + LINES_BEFORE };
  };
};

/** Lines of a tape before its first entry, and lines count from 1. */
const LINES_BEFORE = 2;

const tapeOf = (folder: string, one: Pick<Result, 'sentence' | 'revision'>): string =>
  join(folder, `${nameOf(one)}.jsonl`);

const toUri = (path: string): string => {
  const whole = resolve(path);
  const own = relative(process.cwd(), whole);
  const isOutside = own.startsWith('..') || isAbsolute(own);
  const uri = (isOutside ? `file:///${whole}` : own).replaceAll(sep, '/');
  return encodeURI(uri.replace('file:////', 'file:///'));
};

/** Writes the session of a failed case as a tape. */
const record = (
  folder: string | undefined,
  { verdict, observed, ...one }: Result,
  command: readonly string[],
): void => {
  if (folder === undefined || verdict !== 'failed' || observed === undefined) return;
  makeNamedFolder(folder);
  const meta = { meta: { version: TAPE_VERSION, recorder: `codex-rx ${version}`, command, case: nameOf(one) } };
  writeNew(tapeOf(folder, one), `${[meta, ...observed.lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
};
