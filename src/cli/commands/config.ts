/** `codex-rx config`: shows the configuration that a thread would get, and the schema of config.toml. */
import { showConfig, showConfigSchema } from '../../app/configHere';
import { ConfigError } from '../../settings/faults/configError';
import { defineCommand } from '../command';
import { folderOption, overrideOption, plainOptions } from '../commonOptions';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

export const config = defineCommand({
  usage: '$0 config show [--json] | schema',
  positionals: { action: { type: 'string', required: true, choices: ['show', 'schema'], describe: 'show or schema' } },
  options: {
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    config: overrideOption('Set a key of config.toml, as for the server'),
    model: { alias: 'm', type: 'string', describe: 'Model, as for the server' },
    profile: { alias: 'p', type: 'string', describe: 'Profile, as for the server' },
    cd: folderOption('Folder of the session. Default: the current one'),
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 config show', 'each effective setting and where it comes from; secrets are masked'],
    ['$0 config show --json -p fast', 'the same with a profile, for a program'],
    ['$0 config schema > config.schema.json', 'JSON Schema, for an editor of config.toml'],
  ],
  run: ({ action, json, config: overrides, model, profile, cd }) => {
    const options = { ...plainOptions, overrides, model, profile };
    try {
      const lines =
        action === 'schema'
          ? showConfigSchema()
          : showConfig({ processInfo: thisProcess(cd), options }, json ? 'json' : 'text');
      print(`${lines.join('\n')}\n`);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const line of error.message.split('\n')) remarkAs('config')(line);
      process.exitCode = exitCode.unusable;
    }
    exitWhenWritten('config')();
  },
});
