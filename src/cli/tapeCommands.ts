/** Owns the commands on tapes as yargs shows and reads them. */
import type { Argv } from 'yargs';
import { type RecordArguments, recordProcess } from './recordProcess';
import { type ReplayArguments, replayProcess } from './replayProcess';
import { recordOptions, replayOptions } from './tapeOptions';

/** Adds the commands that make and use tapes. */
export const withTapeCommands = (yargs: Argv): Argv =>
  [withRecord, withReplay].reduce(
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

const hasCommand = (args: Record<string, unknown>): true => {
  if (Array.isArray(args['--']) && args['--'].length > 0) return true;
  throw new Error('There is no server to run: write its command behind --');
};

/** yargs reads a lone - as no text. */
const isStdin = (file: unknown): boolean => file === '-' || file === '';

/** What yargs does not see: a speed is a number or a word, patterns must compile, one stdin cannot be two things. */
const isPlayable = (args: Record<string, unknown>): true => {
  const { speed, timeout, session, file, mask } = args;
  if (speed !== 'max' && !(Number(speed) > 0)) throw new Error('--speed must be a number above 0, or max');
  if (!(Number(timeout) > 0)) throw new Error('--timeout must be a number above 0');
  if (session !== undefined && !(Number.isInteger(session) && Number(session) > 0)) {
    throw new Error('--session must be a whole number from 1');
  }
  if (isStdin(file) && !Array.isArray(args['--'])) {
    throw new Error('A server has its client on stdin, so the tape must be a file; - is for a command behind --');
  }
  for (const pattern of mask as string[]) new RegExp(pattern);
  return true;
};
