/** `codex-rx run`: one turn in the terminal. */
import { join } from 'node:path';
import {
  concatMap,
  endWith,
  from,
  map,
  type Observable,
  type OperatorFunction,
  of,
  reduce,
  scan,
  takeUntil,
  tap,
} from 'rxjs';
import { version } from '../../../package.json';
import { fromPeer } from '../../io/processes/fromChild';
import { childrenHere } from '../../io/processes/spawnHere';
import { type ServerEvent, serverProcess } from '../../io/serverProcess/serverProcess';
import { decodeMessage } from '../../protocol/jsonrpc/decodeMessage';
import { isObject, type JsonObject, textOf, toObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import { connectPeers } from '../../streams/connectPeers';
import { counter } from '../../streams/counter';
import type { Call } from '../client/messages';
import { askPerson, lineOf, toShownLine } from '../client/person';
import { readingLines, toolClient } from '../client/toolClient';
import { defineCommand, type GivenTo } from '../command';
import { failAs, remarkAs, remarkInput } from '../ending';
import { exitCode } from '../exitCode';
import type { Options } from '../option';
import { SERVE_OPTIONS } from '../serve/options';
import { interruption } from '../signals';
import { print, printData } from '../terminal';
import { thisProcess, UsageError } from '../thisProcess';

const { config, model, profile, engine, codex, sandbox, 'ask-for-approval': policy, cd } = SERVE_OPTIONS;

const options = {
  thread: { type: 'string', describe: 'Continue this thread' },
  json: {
    type: 'boolean',
    describe: 'Print the result as JSON: its thread id, tokens, changed files, what was not done',
  },
  record: { alias: 'o', type: 'string', describe: 'Record the session to this tape' },
  quiet: { alias: 'q', type: 'boolean', describe: 'Show no progress' },
  config,
  model,
  profile,
  engine,
  codex,
  sandbox,
  'ask-for-approval': policy,
  cd,
} as const satisfies Options;

const positionals = {
  prompt: { type: 'string', array: true, describe: 'What the agent is to do. Default: standard input' },
} as const;

type Given = GivenTo<typeof options, typeof positionals>;

export const run = defineCommand({
  usage: '$0 run [PROMPT] [--thread ID] [--json]',
  positionals,
  options,
  afterDashes: 'nothing',
  examples: [
    ['$0 run "Which files are here?"', 'the answer goes to stdout, progress and questions to the terminal'],
    ['git diff | $0 run --json', 'a prompt from another program, and the result for a third'],
    ['$0 run --thread 0199 "And their sizes?"', 'continue a thread'],
  ],
  epilogue:
    'Exit codes: 0 the turn is done, 1 it failed, 2 the command line cannot be used, 130 after Ctrl-C. Without a terminal, what needs a question is not done, and the answer names it.',
  run: (given) => {
    const { stdin, stderr } = process;
    const isAlone = !stdin.isTTY || !stderr.isTTY || given.prompt.length === 0;
    promptOf(given.prompt)
      .pipe(
        concatMap((prompt) => turn(given, prompt, isAlone ? undefined : ask())),
        tap((shown) => show(given, shown)),
        takeUntil(interruption()),
      )
      .subscribe({ error: failAs('run') })
      .add(() => process.exit()); // after every teardown: the server has ended
  },
});

const ask = (): ReturnType<typeof askPerson> =>
  askPerson({ show: (text) => print(text, process.stderr), line$: lineOf(process.stdin) });

const promptOf = (words: readonly string[]): Observable<string> => {
  if (words.length > 0 && words.join() !== '-') return of(words.join(' '));
  remarkInput('run', 'what the agent is to do');
  return from(process.stdin as AsyncIterable<Buffer>).pipe(
    reduce((all, part) => [...all, part], [] as Buffer[]),
    map((parts) => {
      const text = Buffer.concat(parts).toString().trim();
      if (text === '') throw new UsageError('There is no prompt on standard input');
      return text;
    }),
  );
};

const turn = (given: Given, prompt: string, answer: ReturnType<typeof ask> | undefined): Observable<Shown> => {
  const { env, cwd } = thisProcess(given.cd);
  const call: Call =
    given.thread === undefined
      ? { name: 'codex', arguments: { prompt, cwd } }
      : { name: 'codex-reply', arguments: { prompt, threadId: given.thread } };
  const client = toolClient({
    newId: counter(0),
    name: 'codex-rx-run',
    version,
    ...(answer && { answer }),
    calls: [() => call],
  });
  const server = serverProcess(
    fromPeer(childrenHere(), { argv: argvOf(given), cwd, env: withoutUndefined(env) as Record<string, string> }),
  );
  return runTurn(client, server);
};

/** The server, behind a recorder if there is a tape. */
const argvOf = ({ config: overrides, record, ...given }: Given): string[] => {
  const program = [process.execPath, join(__dirname, '..', 'bin', 'codex-rx.js')];
  const flags = (['model', 'profile', 'engine', 'codex', 'sandbox', 'ask-for-approval'] as const).flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const server = [...program, 'mcp-server', ...flags, ...overrides.flatMap((one) => ['-c', one])];
  return record === undefined ? server : [...program, 'record', '--quiet', `--out=${record}`, '--', ...server];
};

/** The question itself is on the terminal. */
const WAITING = /^waiting for approval: /;

const show = ({ json, quiet }: Given, shown: Shown): void => {
  switch (shown.kind) {
    case 'progress':
      if (!quiet && !WAITING.test(shown.text)) print(`${shown.text}\n`, process.stderr);
      break;
    case 'log':
      print(`${shown.text}\n`, process.stderr);
      break;
    case 'trouble':
      remarkAs('run')(shown.text);
      process.exitCode = exitCode.failed;
      break;
    case 'result':
      showResult(shown, { json, quiet });
  }
};

const showResult = (
  { kind, text, work, ...facts }: Extract<Shown, { kind: 'result' }>,
  { json, quiet }: Pick<Given, 'json' | 'quiet'>,
): void => {
  const { threadId, isError } = facts;
  if (isError) process.exitCode = exitCode.failed;
  if (json) printData(`${JSON.stringify({ content: text, ...facts, ...work })}\n`);
  else if (isError) print(`${text}\n`, process.stderr);
  else printData(`${text}\n`);
  if (threadId !== undefined && !quiet && !json) {
    print(`To continue: codex-rx run --thread ${threadId} PROMPT\n`, process.stderr);
  }
};

/** What is shown. */
export type Shown =
  /** What the agent does, or a line of the server's log. */
  | { kind: 'progress' | 'log'; text: string }
  /** The result of the call; `isError` if the turn failed. `work` is what the turn used, changed and did not do, as its structured result says. */
  | { kind: 'result'; text: string; isError: boolean; threadId?: string; work: JsonObject }
  /** Why there is no result. */
  | { kind: 'trouble'; text: string };

/**
 * Runs a client that makes one call against a server. Emits what is shown, each progress once; the last before the end of the server is a result or a trouble.
 * Completes with the server. Never errors by itself.
 *   client i--c-----|
 *   server -I---PPR-x|
 *   out    -----P-R--|
 */
export const runTurn = (
  client: OperatorFunction<string, string>,
  server: OperatorFunction<string, ServerEvent>,
): Observable<Shown> => {
  return connectPeers(readingLines(client), server).pipe(
    concatMap((traffic) => (traffic.from === 'far' ? toShown(traffic.item) : [])),
    endWith<Shown>({ kind: 'trouble', text: 'the server ended before the turn was done' }),
    scan(once, { shown: [], progress: '', isDone: false }),
    concatMap(({ shown }) => shown),
  );
};

type Sum = { shown: Shown[]; progress: string; isDone: boolean };

/** Only the first end counts: what follows is the end of the server. */
const once = ({ progress, isDone }: Sum, one: Shown): Sum => {
  if (one.kind === 'progress') return { shown: one.text === progress ? [] : [one], progress: one.text, isDone };
  if (one.kind === 'log') return { shown: [one], progress, isDone };
  return { shown: isDone ? [] : [one], progress, isDone: true };
};

const toShown = (event: ServerEvent): Shown[] => {
  if (event.kind === 'log') {
    const text = toShownLine(event.line);
    return text === undefined ? [] : [{ kind: 'log', text }];
  }
  if (event.kind === 'ended') return event.trouble === '' ? [] : [{ kind: 'trouble', text: event.trouble }];
  const message = decodeMessage(event.line);
  if (message.kind === 'notification' && message.method === 'notifications/progress') {
    const text = textOf(message.params.message);
    return text === '' ? [] : [{ kind: 'progress', text }];
  }
  if (message.kind !== 'response') return [];
  if ('error' in message) return [{ kind: 'trouble', text: message.error.message }];
  return 'result' in message ? toResult(toObject(message.result)) : [];
};

/** What results say to a client of the tools, and what a person at a terminal reads instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bStart one with the tool codex\.$/, 'codex-rx run PROMPT starts one, codex-rx threads lists them.'],
  [/(?<=^Not done: .*: )the client declined it$/gm, 'you declined it'],
  [
    /(?<=^Not done: .*: )the client cannot be asked \(it declared no elicitation\)$/gm,
    'nobody can be asked without a terminal',
  ],
  [/(?<=^The turn was stopped\.\n(?:.*\n)*.*: )the client declined it$/gm, 'you declined it'],
];

/** Other results than that of a call have no content. */
const toResult = ({ content, structuredContent, isError }: JsonObject): Shown[] => {
  if (!Array.isArray(content)) return [];
  const { threadId, content: answer, ...work } = toObject(structuredContent);
  const answerText = typeof answer === 'string' ? answer : textOf(content.find(isObject)?.text);
  const text = WORDS.reduce((all, [pattern, words]) => all.replace(pattern, words), answerText);
  return [{ kind: 'result', text, isError: isError === true, ...(typeof threadId === 'string' && { threadId }), work }];
};
