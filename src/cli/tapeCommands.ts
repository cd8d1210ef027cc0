/** Owns the commands on tapes as yargs shows and reads them. */
import type { Argv } from 'yargs';
import { type DiagramArguments, diagramProcess } from './diagramProcess';
import { type MarblesArguments, marblesProcess } from './marblesProcess';
import { type RecordArguments, recordProcess } from './recordProcess';
import { type ReplayArguments, replayProcess } from './replayProcess';
import {
  hasCommand,
  hasPatterns,
  hasSession,
  hasSessions,
  hasSpan,
  hasValues,
  hasWidth,
  isPicture,
  isPlayable,
} from './tapeChecks';
import {
  type DiffArguments,
  diffProcess,
  type ImportArguments,
  importProcess,
  type RedactArguments,
  redactProcess,
  type StatsArguments,
  statsProcess,
} from './tapeFileProcess';
import {
  diagramOptions,
  importOptions,
  marblesOptions,
  maskOptions,
  recordOptions,
  redactOptions,
  replayOptions,
  reportOption,
  sessionsOptions,
  statsOptions,
} from './tapeOptions';

/** Adds the commands that make and use tapes. */
export const withTapeCommands = (yargs: Argv): Argv =>
  [withRecord, withReplay, withDiff, withRedact, withImport, withStats, withDiagram, withMarbles].reduce(
    (all, withCommand) => withCommand(all),
    yargs.parserConfiguration({ 'populate--': true }),
  );

const withRecord = (yargs: Argv): Argv =>
  yargs.command(
    'record',
    'Record what a client and any stdio server say to each other',
    (command) =>
      command
        .usage('$0 record [--out FILE] -- COMMAND [ARGUMENTS]')
        .options(recordOptions)
        .check(hasCommand)
        .example('$0 record -o tape.jsonl -- codex-rx mcp-server', 'put this into a client, in place of the server')
        .example('$0 record -q -o tape.jsonl -- npx some-server', 'nothing of its own on stderr')
        .epilogue('Ends as the server ended: with its exit code or by its signal. See docs/tapes.md.'),
    (args) => recordProcess(args as unknown as RecordArguments),
  );

const withReplay = (yargs: Argv): Argv =>
  yargs.command(
    'replay <file>',
    'Play a tape: as its server, or as its client against a command',
    (command) =>
      command
        .usage('$0 replay FILE [-- COMMAND [ARGUMENTS]]')
        .positional('file', { type: 'string', demandOption: true, describe: 'The tape; - for stdin, with a command' })
        .options(replayOptions)
        .check(isPlayable)
        .example('$0 replay tape.jsonl', 'a server that says what was recorded, to a client on stdin')
        .example('$0 replay tape.jsonl --speed 1', 'at the pace of the recording')
        .example('$0 replay tape.jsonl -- my-server', 'does my-server still say the same? exit code 1 if not')
        .example('$0 replay tape.jsonl --report junit -- my-server', 'for CI')
        .epilogue('Exit codes: 0 all as recorded, 1 something differs, 2 the tape cannot be used. See docs/tapes.md.'),
    (args) => replayProcess(args as unknown as ReplayArguments),
  );

const tapeFile = { type: 'string', demandOption: true, describe: 'A tape; - for stdin' } as const;

const withDiff = (yargs: Argv): Argv =>
  yargs.command(
    'diff <a> <b>',
    'Compare two tapes, or two sessions of one',
    (command) =>
      command
        .usage('$0 diff A B')
        .positional('a', tapeFile)
        .positional('b', tapeFile)
        .options({ ...sessionsOptions, ...maskOptions, ...reportOption })
        .check(hasPatterns)
        .check(hasSessions)
        .example('$0 diff old.jsonl new.jsonl', 'ids, UUIDs, times, durations and folders may differ')
        .example('$0 diff tape.jsonl tape.jsonl --session-a 1', 'two sessions of one tape')
        .example('$0 diff old.jsonl new.jsonl --unmask duration --report json', 'durations as well, for a program')
        .epilogue('Exit codes: 0 the same, 1 they differ, 2 a tape cannot be used. "recorded" is A, "now" is B.'),
    (args) => diffProcess(args as unknown as DiffArguments),
  );

const withRedact = (yargs: Argv): Argv =>
  yargs.command(
    'redact <file>',
    'Take keys, tokens, home folders and e-mail addresses out of a tape, to share it',
    (command) =>
      command
        .usage('$0 redact FILE [--out FILE]')
        .positional('file', tapeFile)
        .options(redactOptions)
        .check(hasValues)
        .example('$0 redact tape.jsonl -o shared.jsonl', 'says on stderr what was removed, and from which lines')
        .example('$0 redact tape.jsonl --value acme-corp --value 10.0.0.7 > shared.jsonl', 'words of your own as well')
        .epilogue('Values of environment variables named KEY, SECRET, TOKEN or PASSWORD go too. See docs/tapes.md.'),
    (args) => redactProcess(args as unknown as RedactArguments),
  );

const withImport = (yargs: Argv): Argv =>
  yargs.command(
    'import <file>',
    'Make a tape of a rollout of Codex, or of a capture of another recorder',
    (command) =>
      command
        .usage('$0 import FILE [--out TAPE]')
        .positional('file', { type: 'string', demandOption: true, describe: 'The file; - for stdin' })
        .options(importOptions)
        .example('$0 import ~/.codex/sessions/2026/11/20/rollout-….jsonl -o tape.jsonl', 'a thread as calls of codex')
        .example('$0 import capture.ndjson | $0 diagram -', 'a capture of mcpsnoop and the like, as a picture')
        .epilogue('Exit codes: 0 done, 2 the file cannot be used. Lines that say nothing are told with their number.'),
    (args) => importProcess(args as unknown as ImportArguments),
  );

const withStats = (yargs: Argv): Argv =>
  yargs.command(
    'stats <file>',
    'Count what a tape holds: lines, bytes, how long answers took',
    (command) =>
      command
        .usage('$0 stats FILE')
        .positional('file', tapeFile)
        .options(statsOptions)
        .check(hasSession)
        .example('$0 stats tape.jsonl', 'a table')
        .example('$0 stats tape.jsonl --json', 'for a program'),
    (args) => statsProcess(args as unknown as StatsArguments),
  );

const withDiagram = (yargs: Argv): Argv =>
  yargs.command(
    'diagram <file>',
    'Draw a tape in marbles, for a terminal, as SVG or as a page',
    (command) =>
      command
        .usage('$0 diagram FILE [-o FILE.html|FILE.svg]')
        .positional('file', tapeFile)
        .options(diagramOptions)
        .check(hasSession)
        .check(hasWidth)
        .check(isPicture)
        .example('$0 diagram tape.jsonl', 'lanes below each other, a column a message, a legend')
        .example('$0 diagram tape.jsonl -o tape.html', 'a page to zoom, filter and search in; needs no network')
        .example('$0 diagram tape.jsonl -o tape.svg', 'a picture for a document'),
    (args) => diagramProcess(args as unknown as DiagramArguments),
  );

const withMarbles = (yargs: Argv): Argv =>
  yargs.command(
    'marbles <file>',
    'Write a tape as a spec in marbles, which runs and holds a server to it',
    (command) =>
      command
        .usage('$0 marbles FILE [-- COMMAND [ARGUMENTS]]')
        .positional('file', tapeFile)
        .options(marblesOptions)
        .check(hasSession)
        .check(hasSpan)
        .example('$0 marbles tape.jsonl -o server.test.mjs', 'then: node --test server.test.mjs')
        .example('$0 marbles tape.jsonl --runner jest -o server.spec.ts -- node server.js', 'about another command')
        .example('$0 marbles tape.jsonl --from 2000 --to 9000', 'the greeting, and what was said in that time')
        .epilogue('The spec imports codex-rx/testing. See docs/testing.md.'),
    (args) => marblesProcess(args as unknown as MarblesArguments),
  );
