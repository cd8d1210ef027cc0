/** `codex-rx doctor`: shows what is found on this machine, what is chosen and why, and what to do. */
import { tap, toArray } from 'rxjs';
import { defineCommand } from '../command';
import { overrideOption, plainOptions } from '../commonOptions';
import { examine } from '../doctor/examine';
import { ROLES, toFindingLines } from '../doctor/finding';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

export const doctor = defineCommand({
  usage: '$0 doctor [--role ROLE] [--without-mcp] [--json]',
  positionals: {},
  options: {
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    role: {
      type: 'string',
      choices: ROLES,
      default: 'daemon',
      describe: 'What this machine is for; an executor and a watcher of tapes need neither an engine nor a login',
    },
    codex: { type: 'string', describe: 'Executable of the installed Codex, as for the server' },
    'without-mcp': { type: 'boolean', describe: 'Do not start or connect to the MCP servers of config.toml' },
    nats: { type: 'string', array: true, describe: 'Address of a NATS server to reach, nats://HOST[:PORT]' },
    config: overrideOption('Set a key of config.toml, as for the server'),
    model: { alias: 'm', type: 'string', describe: 'Model, as for the server' },
    profile: { alias: 'p', type: 'string', describe: 'Profile, as for the server' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 doctor', 'home, configuration, login, engine, sandbox, MCP servers, and a handshake with this server'],
    ['$0 doctor --role executor --nats nats://nats.lan', 'a machine that only runs commands for others'],
  ],
  epilogue:
    'Exit codes: 0 all is well, or works in another way, 1 something does not work. The model server is asked for its list of models; no prompt is sent.',
  run: ({ json, codex, config, model, profile, nats, role, 'without-mcp': withoutMcp }) => {
    const options = {
      ...plainOptions,
      engine: 'auto' as const,
      overrides: config,
      model,
      profile,
      ...(codex !== undefined && { codex }),
    };
    const single = Object.entries({ codex, model, profile });
    const flags = [
      ...config.flatMap((one) => ['-c', one]),
      ...single.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ];
    const argv = [process.execPath, process.argv[1] ?? '', 'mcp-server', ...flags];
    examine({ processInfo: thisProcess(), options, log: () => {}, argv, nats, role, withoutMcp })
      .pipe(
        tap((one) => !json && print(`${toFindingLines(one, process.stdout.columns).join('\n')}\n`)),
        toArray(),
      )
      .subscribe({
        next: (all) => {
          if (json) print(`${JSON.stringify(all, null, 2)}\n`);
          if (all.some(({ state }) => state === 'fault')) process.exitCode = exitCode.failed;
        },
        error: failAs('doctor'),
      })
      .add(exitWhenWritten('doctor'));
  },
});
