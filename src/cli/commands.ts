/** Owns the commands as yargs shows and reads them. */
import { version } from '../../package.json';
import { type DemoArguments, demoProcess } from './demoProcess';
import { demoOptions, type ServeArguments, serveOptions } from './options';
import { serveProcess } from './serveProcess';

const USAGE_ERROR = 2;

/** Reads a command line with the whole of yargs and runs what it names. Exit code 2 for what cannot be read. */
export const commands = async (argv: readonly string[]): Promise<void> => {
  const { default: yargs } = await import('yargs');
  await yargs([...argv])
    .scriptName('codex-rx')
    .usage('$0 [command]\n\nServes a Codex agent as MCP tools over stdio, for IDEs and other agents.')
    .command(
      ['mcp-server', '$0'],
      'Serve the tools codex and codex-reply on stdin and stdout',
      (command) =>
        command
          .options(serveOptions)
          .example('$0 mcp-server', 'what an MCP client runs')
          .example(
            '$0 mcp-server -m gpt-5 -c approval_policy=untrusted',
            'with another model, asking before each command',
          ),
      (args) => serveProcess(args as unknown as ServeArguments),
    )
    .command(
      'demo',
      'Show a whole session with an embedded model, in marbles',
      (command) => command.options(demoOptions),
      (args) => demoProcess(args as unknown as DemoArguments),
    )
    .completion('completion', 'Print a script for shell completion')
    .version(version)
    .help()
    .alias({ h: 'help', v: 'version' })
    .strict()
    .recommendCommands()
    .wrap(Math.min(100, process.stdout.columns ?? 80))
    .fail((message, error) => {
      process.stderr.write(`${message ?? error.message}\nSee codex-rx --help.\n`);
      process.exit(USAGE_ERROR);
    })
    .parseAsync();
};
