/** `codex-rx explain`: shows what would happen to a command. */

import { ConfigError } from '../../settings/faults/configError';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { explainHere } from '../explain/explainHere';
import { toExplanationLines } from '../explain/toExplanationLines';
import { overrideOption } from '../overrideOption';
import { thisProcess } from '../thisProcess';

const LIMIT_MS = 60_000;

export const explain = defineCommand({
  usage: '$0 explain [--json] [--script TEXT | -- COMMAND ARGUMENTS…]',
  positionals: {},
  options: {
    script: { type: 'string', describe: 'A script for bash -lc instead of a command after --' },
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    cd: { alias: 'C', type: 'string', describe: 'Folder of the session. Default: the current one' },
    config: overrideOption('Set a key of config.toml, as for the server'),
  },
  afterDashes: 'command',
  examples: [
    ['$0 explain -- git status', 'what it is, why it is trusted, and what each policy and mode would do'],
    ["$0 explain --script 'cd src && rm -r x' --json", 'the same for a script, as JSON for a program'],
  ],
  problem: ({ command, script }) => {
    if (script !== undefined && command.length > 0) return 'Give --script or a command after --, not both';
    return script === undefined && command.length === 0 ? 'Give a command after --, or --script TEXT' : undefined;
  },
  run: ({ command, script, json, cd, config }) => {
    const log = (_: string, message: string) => remarkAs('explain')(message);
    const options = {
      engine: 'native' as const,
      tape: { speed: 'max' as const, match: 'strict' as const },
      modelTimeoutMs: LIMIT_MS,
      turnTimeoutMs: LIMIT_MS,
      overrides: config,
    };
    const argv = script === undefined ? command : ['bash', '-lc', script];
    explainHere({ processInfo: thisProcess(cd), options, log: json ? () => {} : log })(argv)
      .subscribe({
        next: (explanation) => {
          const lines = json ? [JSON.stringify(explanation, null, 2)] : toExplanationLines(explanation);
          process.stdout.write(`${lines.join('\n')}\n`);
        },
        error: (error: Error) => {
          if (!(error instanceof ConfigError)) return failAs('explain')(error);
          remarkAs('explain')(error.message);
          process.exitCode = exitCode.unusable;
        },
      })
      .add(exitWhenWritten('explain'));
  },
});
