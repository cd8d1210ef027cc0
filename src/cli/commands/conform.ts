/** `codex-rx conform`: checks any MCP server against the specification. */
import { join } from 'node:path';
import { concatMap, map, type Observable, takeUntil, tap, toArray } from 'rxjs';
import { version } from '../../../package.json';
import { writeNew } from '../../app/tapes/writeFiles';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { isHttpUrl, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { readRegular } from '../../io/paths/look';
import { parseObject } from '../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import { TAPE_VERSION } from '../../tapes/format/tape';
import { toIgnoredMethod } from '../../tapes/matching/ignore';
import { toServer } from '../../tapes/sessions/verifySession';
import { ALL_RULES, CASES } from '../../testing/conform/caseTable';
import { type Choice, conform as checkServer, countOf, type Result } from '../../testing/conform/conform';
import {
  ACP_1,
  LEVELS,
  linkOf,
  type Offer,
  PROTOCOLS,
  protocolOf,
  type Sentence,
} from '../../testing/conform/conformCase';
import { nameOf, toKnownFailures } from '../../testing/conform/knownFailures';
import { learnAgent, learnOffer } from '../../testing/conform/learnOffer';
import type { HarmlessTool } from '../../testing/conform/needs';
import type { CaseDeps } from '../../testing/conform/playCase';
import { CONFORM_REPORTS, type Conformance, failuresOf, toConformReport } from '../../testing/conform/report';
import { defineCommand, type GivenTo } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import type { Options } from '../option';
import { interruption } from '../signals';
import { print, printOver } from '../terminal';

const options = {
  protocol: {
    type: 'string',
    array: true,
    choices: PROTOCOLS,
    describe: 'What to check. Default: mcp, and its extension for tasks if the server declares it; acp is for agents',
  },
  url: { type: 'string', describe: 'Check the server behind this URL, in place of a command after --' },
  revision: {
    type: 'string',
    array: true,
    choices: SUPPORTED_VERSIONS,
    describe:
      'Check this revision. Default: the newest with a handshake and the newest without, as far as the server speaks them',
  },
  only: { type: 'string', array: true, describe: 'Check only cases with this name; * is any text' },
  level: {
    type: 'string',
    array: true,
    choices: LEVELS,
    describe: 'Check only what the specification demands so. Default: all',
  },
  list: { type: 'boolean', describe: 'Print the cases, each with its sentence and its link, and check nothing' },
  tool: {
    type: 'string',
    array: true,
    describe: 'A tool that does no harm, for the cases that call one; name others that are slow, ask, or become tasks',
  },
  arguments: {
    type: 'string',
    array: true,
    describe: 'The arguments of each --tool, as JSON, in their order. Default: {}',
    problemOf: (text: string) => (parseObject(text) === undefined ? '--arguments must be a JSON object' : undefined),
  },
  prompt: { type: 'string', describe: 'A prompt that does no harm, for the cases of acp that need a model' },
  expect: {
    type: 'string',
    describe: 'A file with known failures, a name on each line: they do not fail the run, and are named when they pass',
  },
  report: { type: 'string', choices: CONFORM_REPORTS, default: 'text', describe: 'Format of the report on stdout' },
  record: { type: 'string', describe: 'Write the session of each case that fails to a new tape in this folder' },
  jobs: {
    alias: 'j',
    type: 'number',
    from: 1,
    whole: true,
    default: 2,
    describe: 'How many cases are played at once, each with a process of its own',
  },
  timeout: {
    type: 'number',
    above: 0,
    default: 5,
    describe: 'Seconds to wait for a response, besides the time that the server takes to start',
  },
} as const satisfies Options;

const positionals = {} as const;

type Conform = GivenTo<typeof options, typeof positionals>;

const problem = (given: Conform): string | undefined => {
  const { url, list, command } = given;
  if (![...CASES, ...ALL_RULES].some((one) => isChosen(given, one)))
    return 'No case is of this --only, --level and --revision; --list prints the cases';
  if (list) return undefined;
  if (url === undefined && command.length === 0)
    return 'There is no server to check: write its command after --, or --url URL';
  if (url !== undefined && command.length > 0) return '--url goes without a command after --';
  if (url !== undefined && !isHttpUrl(url)) return '--url must be http://HOST/PATH or https://HOST/PATH';
  return problemOfProtocol(given);
};

const problemOfProtocol = ({ protocol, url, revision, tool, prompt, arguments: args }: Conform): string | undefined => {
  if (args.length > tool.length) return '--arguments goes with --tool';
  if (!protocol.includes('acp')) return prompt === undefined ? undefined : '--prompt goes with --protocol acp';
  const isMixed = protocol.length > 1 || url !== undefined || revision.length > 0 || tool.length > 0;
  return isMixed ? '--protocol acp goes without other protocols, --url, --revision and --tool' : undefined;
};

export const conform = defineCommand({
  usage: '$0 conform [OPTIONS] -- COMMAND [ARGUMENTS]',
  positionals,
  options,
  afterDashes: 'command',
  examples: [
    ['$0 conform -- node server.js', 'does my server keep what the specification of MCP demands?'],
    ['$0 conform --level MUST --report junit -- node server.js', 'only what it demands by MUST, for CI'],
    ['$0 conform --url http://127.0.0.1:3000/mcp --revision 2025-06-18', 'a server over HTTP, one revision'],
    [`$0 conform --tool echo --arguments '{"text":"hi"}' -- node server.js`, 'also the cases that call a tool'],
    ['$0 conform --protocol acp --prompt "Say hi" -- node agent.js', 'an agent that speaks ACP'],
    [
      '$0 conform --expect known.txt --record failed -- node server.js',
      'known failures do not count; tapes of the others',
    ],
    ['$0 conform --list --only "tools-*"', 'the cases of tools, with the sentences of the specification'],
  ],
  epilogue:
    'Exit codes: 0 nothing failed, 1 something failed, 2 the server or the command line cannot be used. See docs/conform.md.',
  problem,
  run: (given) => {
    const chosen = <T extends Sentence>(all: readonly T[]): T[] => all.filter((one) => isChosen(given, one));
    if (given.list) return print(toList([...chosen(CASES), ...chosen(ALL_RULES)], given));
    process.exitCode = exitCode.failed; // until all is passed
    startChecking(given, { cases: chosen(CASES), rules: chosen(ALL_RULES) })
      .pipe(takeUntil(interruption()))
      .subscribe({
        next: (conformance) => {
          print(toConformReport(given.report, conformance));
          process.exitCode = failuresOf(conformance).length === 0 ? exitCode.ok : exitCode.failed;
        },
        error: failAs('conform'),
      })
      .add(exitWhenWritten('conform'));
  },
});

const isChosen = ({ only, level, revision, protocol }: Conform, sentence: Sentence): boolean => {
  const { id, level: own, revisions } = sentence;
  return (
    (protocol.length === 0 ? ['mcp', 'tasks'] : protocol).includes(protocolOf(sentence)) &&
    (level.length === 0 || level.includes(own)) &&
    (only.length === 0 || only.some((pattern) => toIgnoredMethod(pattern).test(id))) &&
    (revision.length === 0 || revisions.some((one) => one !== ACP_1 && revision.includes(one)))
  );
};

const toList = (sentences: readonly Sentence[], { revision: chosen }: Conform): string =>
  sentences
    .map((one) => {
      const newest = one.revisions.findLast(
        (revision) => chosen.length === 0 || (revision !== ACP_1 && chosen.includes(revision)),
      );
      const official = one.official === undefined ? '' : `           official: ${one.official}\n`;
      const link = linkOf(one, newest ?? SUPPORTED_VERSIONS[0]);
      return `${one.level.padEnd(10)} ${one.id}\n           "${one.sentence}"\n           ${link}\n${official}`;
    })
    .join('');

/** Long enough for a program that a package manager downloads first. */
const START_LIMIT_MS = 60_000;
/** How long a server that stays may take to send what it must not send. */
const SETTLE_MS = 300;

const startChecking = (given: Conform, table: Pick<Choice, 'cases' | 'rules'>): Observable<Conformance> => {
  const server = given.url === undefined ? given.command : [given.url];
  const deps: CaseDeps = {
    server: toServer({ env: process.env, cwd: process.cwd(), version, started: new Date() }, server, 'lines'),
    limitMs: START_LIMIT_MS,
    settleMs: SETTLE_MS,
    now: () => performance.now(),
  };
  const known =
    given.expect === undefined
      ? new Set<string>()
      : toKnownFailures(readRegular(given.expect), [...CASES, ...ALL_RULES]);
  const choice = toChoice(given, table);
  const toReported = (offer: Offer, results: readonly Result[]): Conformance => ({
    offer,
    known,
    version,
    results: inOrder(results, [...CASES, ...ALL_RULES]),
  });
  const offer$ = given.protocol.includes('acp') ? learnAgent(deps, process.cwd()) : learnOffer(deps, toTools(given));
  return offer$.pipe(
    tap((offer) => remarkAs('conform')(`${offer.name} speaks ${offer.revisions.join(', ')}`)),
    concatMap((offer) => {
      const limitMs = given.timeout * 1000 + 2 * offer.startMs;
      return checkServer({ deps: { ...deps, limitMs }, offer, choice }).pipe(
        tap(progressTo(countOf({ offer, choice }))),
        tap((one) => record(given.record, one, server.map(withoutSecrets))),
        toArray(),
        map((results) => toReported(offer, results)),
      );
    }),
  );
};

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

/** Writes the session of a failed case as a tape. */
const record = (
  folder: string | undefined,
  { verdict, observed, ...one }: Result,
  command: readonly string[],
): void => {
  if (folder === undefined || verdict !== 'failed' || observed === undefined) return;
  makeNamedFolder(folder);
  const meta = { meta: { version: TAPE_VERSION, recorder: `codex-rx ${version}`, command, case: nameOf(one) } };
  writeNew(
    join(folder, `${nameOf(one)}.jsonl`),
    `${[meta, ...observed.lines].map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
};
