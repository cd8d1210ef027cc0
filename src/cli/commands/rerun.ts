/** `codex-rx rerun`: runs a recorded daemon again, from what its seams gave it. */
import { resolve } from 'node:path';
import { of } from 'rxjs';
import { createLog } from '../../io/log/createLog';
import { secretValuesOf } from '../../io/log/secretValues';
import { isObject, parseJson, wordOf } from '../../protocol/jsonrpc/json';
import { joinWords } from '../../streams/text/words';
import { isSame, toReport } from '../../tapes/diff/toReport';
import { isOnWire, type Session, TapeError } from '../../tapes/format/tape';
import { problemOfMasks } from '../../tapes/matching/maskWords';
import { engineOf } from '../../tapes/seams/record';
import type { Live } from '../../tapes/seams/tapePorts';
import { defineCommand } from '../command';
import { overrideOption } from '../commonOptions';
import { type Asked, askFirst } from '../consent';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { secondsOption } from '../option';
import { type Daemon, startRerun } from '../rerun/startRerun';
import { type Serve, toServeOptions } from '../serve/toServeOptions';
import { MASK_OPTIONS, REPORT_OPTION, sessionOf, tapeDeps } from '../tapeCommand';
import { columnsOf, print } from '../terminal';
import { thisProcess } from '../thisProcess';
import { acp, OF_MCP } from './acp';
import { mcpServer } from './mcpServer';

export const rerun = defineCommand({
  usage: '$0 rerun FILE [--live model|executor]',
  positionals: {
    file: { type: 'string', required: true, describe: 'A tape that mcp-server --record made; - for stdin' },
  },
  options: {
    live: {
      type: 'string',
      choices: ['none', 'model', 'executor'],
      default: 'none',
      describe: 'What is real instead of played from the tape: the configured model, or the commands and patches',
    },
    session: sessionOf('the file'),
    model: { alias: 'm', type: 'string', describe: 'With --live model: another model than the recorded one' },
    config: overrideOption('Settings that win over the recorded ones, as KEY=VALUE'),
    'trust-tape': {
      type: 'boolean',
      describe: 'With --live: do not list what the tape does here, nor ask whether it may; for a tape of your own',
    },
    answer: {
      type: 'string',
      choices: ['accept', 'decline'],
      describe: 'Answer each question of the daemon so, instead of as recorded; stderr lists them',
    },
    timeout: secondsOption(10, 'Seconds to wait for something that was recorded'),
    'allow-redacted': { type: 'boolean', describe: 'Run a tape whose secrets were removed' },
    ...MASK_OPTIONS,
    ...REPORT_OPTION,
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 rerun tape.jsonl', 'does this version still send the same, to the byte? No command runs, no model is asked'],
    ['$0 rerun tape.jsonl --live model -m gpt-5', 'what would another model have done? No command runs'],
    ['$0 rerun tape.jsonl -c approval_policy=\'"untrusted"\' --answer accept', 'what would another policy have asked?'],
  ],
  epilogue:
    'Exit codes: 0 the same (to the byte, unless something is live), 1 something differs, 2 the tape cannot be used. See docs/rerun.md.',
  problem: (given) => {
    if (given.model !== undefined && given.live !== 'model') return '--model goes with --live model';
    if (given['trust-tape'] && given.live === 'none') return '--trust-tape goes with --live';
    return problemOfMasks(given);
  },
  run: (given) => {
    const { file, session, live, timeout, report, answer } = given;
    const { stdout, stderr, env } = process;
    const log = createLog({ level: 'error', stderr, secrets: () => secretValuesOf(env), env });
    const deps = {
      ...tapeDeps('rerun'),
      log,
      toDaemon: daemonOf({ ...given, remark: remarkAs('rerun'), read: mcpServer.read }),
      consent: (tape: Session) =>
        live === 'none' || given['trust-tape'] ? of(true) : askFirst(process)(askedOf(tape, live)),
    };
    process.exitCode = exitCode.failed; // until the comparison has passed
    const allow = given['allow-redacted'] ? 'redacted' : 'whole';
    startRerun(deps, { path: file, session, allow }, { live, limitMs: timeout * 1000, words: given, answer })
      .subscribe({
        next: ({ bytes, lines, results, first }) => {
          const alike = isSame({ name: file, results });
          if (bytes === 'same' && report === 'text') print(`SAME to the byte: ${lines} lines of the server\n`);
          else print(toReport({ format: report, columns: columnsOf(stdout) }, results, file));
          if (alike && bytes === 'different' && live === 'none')
            remarkAs('rerun')(
              `the first line that differs: recorded ${first?.recorded ?? 'none'}; now ${first?.now ?? 'none'}`,
            );
          process.exitCode = bytes === 'same' || (live !== 'none' && alike) ? exitCode.ok : exitCode.failed;
        },
        error: failAs('rerun'),
      })
      .add(exitWhenWritten('rerun'));
  },
});

const askedOf = (session: Session, live: LiveSeam): Asked => ({
  title: `With --live ${live} the tape does this here`,
  list: toLiveList(session, live),
  refusal: 'Nothing was started',
  remedy: '--trust-tape allows all of the list',
});

export type Changes = {
  model?: string;
  /** Settings that win over the recorded flags. */
  config: readonly string[];
  live: Live;
  remark: (text: string) => void;
  /** Reads the command line of the server. */
  read: (typeof mcpServer)['read'];
};

/** Makes the daemon of a session. Throws TapeError if it cannot run again. */
export const daemonOf =
  (changes: Changes) =>
  ({ meta, entries }: Session): Daemon => {
    const { model, config, remark, read } = changes;
    const { given, protocol } = argumentsIn(read, meta.command);
    checkEngine(changes, given.engine, engineOf(entries));
    const engine = engineOf(entries) === undefined && given.engine === 'auto' ? 'native' : given.engine;
    const here = thisProcess();
    const recorded = toServeOptions({ ...given, engine, model: model ?? given.model }, protocol);
    const cwd = resolve(typeof meta.cwd === 'string' ? meta.cwd : here.cwd, given.cd ?? '');
    const options = { ...recorded, overrides: [...recorded.overrides, ...config] };
    if (typeof meta.codexHome === 'string' && meta.codexHome !== here.codexHome)
      remark(`recorded with CODEX_HOME=${meta.codexHome}; the configuration is read from ${here.codexHome} now`);
    return { options, processInfo: { ...here, cwd } };
  };

/** @param chosen the engine that `auto` took, if it was recorded */
const checkEngine = ({ live }: Changes, named: string, chosen: string | undefined): void => {
  if (named === 'app-server' || chosen === 'app-server')
    throw new TapeError(
      'The tape is of the engine app-server: what the installed Codex did is not on it, so it cannot be run again; codex-rx replay verifies a server by it',
    );
  if (named === 'tape' && live !== 'none')
    throw new TapeError('The tape is of --engine tape, which has no model and runs no command; leave --live out');
};

const argumentsIn = (read: Changes['read'], command: unknown): { given: Serve; protocol?: 'acp' } => {
  const words = Array.isArray(command) ? command.slice(1).map(wordOf) : [];
  const [first = ''] = words;
  if (first === 'acp') {
    const reading = acp.read(words.slice(1));
    if (reading.kind === 'given' && reading.given.record !== undefined)
      return { given: { ...reading.given, ...OF_MCP }, protocol: first };
  }
  const reading = read(['mcp-server', 'mcp'].includes(first) ? words.slice(1) : words);
  if (reading.kind === 'given' && reading.given.record !== undefined) return { given: reading.given };
  throw new TapeError(
    'The tape lacks what model and commands sent to the server; rerun needs one of codex-rx mcp-server or acp --record FILE; for any other tape there is codex-rx replay',
  );
};

type LiveSeam = 'model' | 'executor';

/**
 * A line for each thing that the tape names, each once: the flags that the daemon starts with, what the client sends, and with a live executor what the
 * recorded model wants to be run, and what the client answers to questions. Nothing is left out but texts behind their first 200 characters.
 */
export const toLiveList = ({ meta, entries }: Session, live: LiveSeam): string[] => {
  const words = Array.isArray(meta.command) ? meta.command.map(wordOf) : [];
  const valuesOf = (is: (entry: Session['entries'][number]['entry']) => boolean) =>
    entries.flatMap(({ entry }) => (is(entry) ? [parseJson(entry.line)].flat() : []));
  const received = valuesOf((entry) => isOnWire(entry) && entry.dir === 'in');
  const answered = valuesOf(({ seam, dir }) => seam === 'model' && dir === 'out');
  return [
    ...new Set([
      ...flagsIn(words).map((flag) => `starts with ${flag}`),
      `starts in ${wordOf(meta.cwd ?? 'this folder')}`,
      ...received.flatMap(requestLines),
      ...(live === 'executor' ? [...answered.flatMap(runLines), ...received.flatMap(answerLines)] : []),
    ]),
  ];
};

/** Each flag with its values. */
const flagsIn = (words: readonly string[]): string[] => {
  const starts = words.flatMap((word, at) => (word.startsWith('-') ? [at] : []));
  return starts.map((start, i) => joinWords(words.slice(start, starts[i + 1])));
};

/** A line for each argument of a request; what a client says of itself at first does nothing. */
const requestLines = (message: unknown): string[] => {
  if (!isObject(message) || typeof message.method !== 'string' || message.id === undefined) return [];
  const { method, params } = message;
  return method === 'initialize' ? [] : leafLines(params).map((line) => `sends ${method}${line}`);
};

const MAX_CHARS = 200;

/** The path of each value that is no object, and the value; a list of texts, such as a command, is one value. */
const leafLines = (value: unknown, path = ''): string[] => {
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => leafLines(one, `${path} ${name}`));
  if (Array.isArray(value) && value.some(isObject)) return value.flatMap((one) => leafLines(one, path));
  const text = JSON.stringify(value) ?? '';
  const isLong = typeof value === 'string' && text.length > MAX_CHARS;
  return [`${path}: ${isLong ? `${text.slice(0, MAX_CHARS)}… (${value.length} characters)` : text}`];
};

/** What the model wants to be run: all of its items but text. */
const runLines = (event: unknown): string[] => {
  if (!isObject(event) || !isObject(event.item)) return [];
  const { type, name, arguments: args, input } = event.item;
  if (type === 'message' || type === 'reasoning') return [];
  const given = args ?? input;
  return [
    `runs ${typeof name === 'string' && typeof given === 'string' ? `${name} ${given}` : JSON.stringify(event.item)}`,
  ];
};

const answerLines = (message: unknown): string[] =>
  isObject(message) && message.method === undefined && message.result !== undefined
    ? [`answers a question by ${JSON.stringify(message.result)}`]
    : [];
