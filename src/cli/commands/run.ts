/** `codex-rx run`: one turn in the terminal. */
import { join } from 'node:path';
import { concatMap, from, map, type Observable, of, reduce, takeUntil, tap } from 'rxjs';
import { version } from '../../../package.json';
import { fromPeer } from '../../io/processes/fromChild';
import { childrenHere } from '../../io/processes/spawnHere';
import { serverProcess } from '../../io/serverProcess/serverProcess';
import { withoutUndefined } from '../../protocol/jsonrpc/json';
import { counter } from '../../streams/counter';
import type { Call } from '../client/messages';
import { askPerson, lineOf } from '../client/person';
import { toolClient } from '../client/toolClient';
import { runTurn, type Shown } from '../client/turn';
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
