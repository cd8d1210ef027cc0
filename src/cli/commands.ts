/** Owns the commands as yargs shows and reads them. */
import { version } from '../../package.json';
import { type DemoArguments, demoProcess } from './demoProcess';
import { checkListen, type ExecArguments, execProcess } from './execProcess';
import { demoOptions, execOptions, hasTape, type ServeArguments, serveOptions } from './options';
import { serveProcess } from './serveProcess';
import { withTapeCommands } from './tapeCommands';

const USAGE_ERROR = 2;

const USAGE = `$0 [command]

Serves a Codex agent as the MCP tools codex and codex-reply over stdio, for IDEs and other agents.
Without a command it is the server, and waits for an MCP client on its input.`;

const EPILOGUE = `Exit codes: 0 all was well, 1 something failed, 2 the command line could not be read.
Settings come from config.toml in $CODEX_HOME or ~/.codex.
Docs: README.md and docs/ in the package (clients, configuration, approvals, protocol).`;

/** Reads a command line with the whole of yargs and runs what it names. Exit code 2 for what cannot be read. */
export const commands = async (argv: readonly string[]): Promise<void> => {
  const yargs = require('yargs') as typeof import('yargs').default;
  await withTapeCommands(yargs([...argv]).scriptName('codex-rx'))
    .usage(USAGE)
    .command(
      ['mcp-server', '$0'],
      'Serve the tools codex and codex-reply on stdin and stdout',
      (command) =>
        command
          .options(serveOptions)
          .check(hasNumbers(serveOptions))
          .check(hasTape)
          .example('$0 mcp-server', 'what an MCP client runs')
          .example('$0 mcp-server -m gpt-5 -c approval_policy=untrusted', 'another model; ask before each command')
          .example('$0 mcp-server -p careful --events none', 'a profile of config.toml; no codex/event'),
      (args) => serveProcess(args as unknown as ServeArguments),
    )
    .command(
      'demo',
      'Show a whole session with an embedded model, in marbles; needs no network and no key',
      (command) =>
        command
          .options(demoOptions)
          .example('$0 demo', 'watch a call, an approval, a command, a file')
          .example('$0 demo --ask', 'be the person who is asked')
          .example('$0 demo --raw', 'see the JSON lines of the wire'),
      (args) => demoProcess(args as unknown as DemoArguments),
    )
    .command(
      'exec-server',
      'Offer processes, files and HTTP of this machine to a Codex client',
      (command) =>
        command
          .options(execOptions)
          .check(hasNumbers(execOptions))
          .check(checkListen)
          .example('$0 exec-server --listen stdio', 'what a client starts, here or through ssh')
          .example(
            '$0 exec-server --listen ws://127.0.0.1:0',
            'prints ws://IP:PORT; clients of this machine connect there',
          )
          .example(
            '$0 exec-server --listen ws://10.0.0.5:4500 --token-file t',
            'clients of others, that know the token',
          ),
      (args) => execProcess(args as unknown as ExecArguments),
    )
    .completion('completion', 'Print a script for shell completion')
    .version(version)
    .help()
    .alias({ h: 'help', v: 'version' })
    .epilogue(EPILOGUE)
    .strict()
    .recommendCommands()
    .wrap(Math.min(100, process.stdout.columns || 80))
    .fail((message, error) => {
      process.stderr.write(`${message ?? error.message}\nSee codex-rx --help.\n`);
      process.exit(USAGE_ERROR);
    })
    .parseAsync();
};

/** yargs takes any word for a number. */
const hasNumbers =
  (options: Record<string, { type: string }>) =>
  (args: Record<string, unknown>): true => {
    for (const [name, { type }] of Object.entries(options)) {
      if (type === 'number' && !(Number(args[name]) > 0)) throw new Error(`--${name} must be a number above 0`);
    }
    return true;
  };
