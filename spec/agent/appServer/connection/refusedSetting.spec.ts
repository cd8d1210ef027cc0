import { refusedSetting } from '../../../../src/agent/appServer/connection/refusedSetting';

const ENDED = 'The codex app-server ended with exit code 1.\n';
const LOAD = 'failed to load configuration: ';

describe('refusedSetting', () => {
  it.each([
    [
      `${ENDED}Error: approval_policy = "untrusted" is no longer supported; remove this setting`,
      'approval_policy (approval_policy = "untrusted" is no longer supported; remove this setting)',
      'by -c or -a of this server',
    ],
    [
      `${ENDED}Error: unknown variant \`bogus\`, expected one of \`low\`, \`high\`\nin \`model_verbosity\`\n`,
      'model_verbosity (unknown variant `bogus`, expected one of `low`, `high` in `model_verbosity`)',
      'by -c of this server',
    ],
    [
      `${ENDED}Error: error loading default config after config error: Model provider \`x\` not found`,
      'model_provider (Model provider `x` not found)',
      'by -c or --oss of this server',
    ],
    [
      `${LOAD}legacy \`profile = "fast"\` config is no longer supported; use \`--profile fast\` instead`,
      'profile (legacy `profile = "fast"` config is no longer supported; use `--profile fast` instead)',
      'by -c of this server',
    ],
    [
      `${LOAD}failed to read model instructions file /w/x.md: No such file or directory (os error 2)`,
      'model_instructions_file (failed to read model instructions file /w/x.md: No such file or directory (os error 2))',
      'by -c of this server',
    ],
    [
      `${LOAD}/c/config.toml:6:10: \`wire_api = "chat"\` is no longer supported.\nHow to fix: set another`,
      'wire_api (/c/config.toml:6:10: `wire_api = "chat"` is no longer supported.)',
      'by -c of this server',
    ],
  ])('names the key and the remedy: %s', (message, cause, flags) => {
    expect(refusedSetting(message)).toBe(
      `The installed Codex refuses the setting ${cause}. Change it or leave it out: ${flags}, in config.toml of Codex, in that of the project, or in the config of the call. The engine native (--engine native) does without Codex.`,
    );
  });

  it.each([
    `${ENDED}out of luck`,
    `${ENDED}Error: No space left on device`,
    "error: unrecognized subcommand 'app-server'",
    'thread not found: 1',
    '',
  ])('is undefined for another message: %j', (message) => {
    expect(refusedSetting(message)).toBeUndefined();
  });
});
