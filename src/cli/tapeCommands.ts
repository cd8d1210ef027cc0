/** Owns the commands on tapes as yargs shows and reads them. */
import type { Argv } from 'yargs';
import { type RecordArguments, recordProcess } from './recordProcess';
import { recordOptions } from './tapeOptions';

/** Adds the commands that make and use tapes. */
export const withTapeCommands = (yargs: Argv): Argv =>
  yargs.parserConfiguration({ 'populate--': true }).command(
    'record',
    'Record what a client and any stdio server say to each other, behind their backs',
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

const hasCommand = (args: Record<string, unknown>): true => {
  if (Array.isArray(args['--']) && args['--'].length > 0) return true;
  throw new Error('There is no server to run: write its command behind --');
};
