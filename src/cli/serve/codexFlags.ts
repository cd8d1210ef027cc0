/** The flags of the Codex CLI before and after `mcp-server`, so that old command lines work. Source: codex 0.28.0, 0.142.0, 0.153.4, `--help`. */
import { APPROVAL_POLICIES, SANDBOX_MODES } from '../../protocol/codex/settings';
import { folderOption } from '../commonOptions';
import type { ArgumentsOf, Options } from '../option';

const CODEX = 'Flags of the Codex CLI:';

/** The model that --oss means if none is named. Source: codex 0.28.0. */
const OSS_MODEL = 'gpt-oss:20b';

export const CODEX_FLAGS = {
  'ask-for-approval': {
    group: CODEX,
    alias: 'a',
    type: 'string',
    choices: APPROVAL_POLICIES,
    describe: 'Same as -c approval_policy=…',
  },
  sandbox: {
    group: CODEX,
    alias: 's',
    type: 'string',
    choices: SANDBOX_MODES,
    describe: 'Same as -c sandbox_mode=…',
  },
  cd: { group: CODEX, ...folderOption('Working folder of threads whose call names none') },
  oss: { group: CODEX, type: 'boolean', describe: 'Use a local model server (Ollama): same as -c model_provider=oss' },
  'full-auto': {
    group: CODEX,
    type: 'boolean',
    describe: 'Same as --ask-for-approval on-failure --sandbox workspace-write',
  },
  'dangerously-bypass-approvals-and-sandbox': {
    group: CODEX,
    type: 'boolean',
    describe: 'Run every command without asking and without a sandbox',
  },
  yolo: { group: CODEX, type: 'boolean', describe: 'Same as --dangerously-bypass-approvals-and-sandbox' },
  enable: { group: CODEX, type: 'string', array: true, describe: 'Same as -c features.NAME=true' },
  disable: { group: CODEX, type: 'string', array: true, describe: 'Same as -c features.NAME=false' },
  search: { group: CODEX, type: 'boolean', describe: 'Accepted, without effect: set web_search in config.toml' },
  'strict-config': {
    group: CODEX,
    type: 'boolean',
    describe: 'Accepted, without effect: keys that are not known are always ignored',
  },
  image: { group: CODEX, alias: 'i', type: 'string', array: true, describe: 'Accepted, without effect' },
  'add-dir': {
    group: CODEX,
    type: 'string',
    array: true,
    describe: 'Accepted, without effect: set sandbox_workspace_write.writable_roots',
  },
  'local-provider': { group: CODEX, type: 'string', describe: 'Accepted, without effect: set model_provider' },
  'no-alt-screen': { group: CODEX, type: 'boolean', describe: 'Accepted, without effect' },
  'dangerously-bypass-hook-trust': { group: CODEX, type: 'boolean', describe: 'Accepted, without effect' },
} as const satisfies Options;

export type CodexFlags = ArgumentsOf<typeof CODEX_FLAGS>;

/** The flags as overrides of config.toml, to be applied after `-c`, and the bound of `--max-tokens`, which is ours. */
export const toOverrides = (flags: CodexFlags & { 'max-tokens'?: number }, model: string | undefined): string[] => {
  const { 'ask-for-approval': policy, sandbox, oss, 'full-auto': fullAuto, enable, disable } = flags;
  const bypass = flags['dangerously-bypass-approvals-and-sandbox'] || flags.yolo;
  return [
    ...(fullAuto ? ['approval_policy="on-failure"', 'sandbox_mode="workspace-write"'] : []),
    ...(policy === undefined ? [] : [`approval_policy="${policy}"`]),
    ...(sandbox === undefined ? [] : [`sandbox_mode="${sandbox}"`]),
    ...(bypass ? ['approval_policy="never"', 'sandbox_mode="danger-full-access"'] : []),
    ...(oss ? ['model_provider="oss"'] : []),
    ...(oss && model === undefined ? [`model="${OSS_MODEL}"`] : []),
    ...enable.map((name) => `features.${name}=true`),
    ...(flags['max-tokens'] === undefined ? [] : [`max_tokens_per_turn=${flags['max-tokens']}`]),
    ...disable.map((name) => `features.${name}=false`),
  ];
};

/** The warning about flags that are accepted and do nothing. */
export const toRemarks = (flags: CodexFlags): string[] =>
  WITHOUT_EFFECT.flatMap(([name, why]) => (isGiven(flags[name]) ? [`--${name} has no effect; ${why}`] : []));

const isGiven = (value: boolean | string | readonly string[] | undefined): boolean =>
  value !== undefined && value !== false && (typeof value !== 'object' || value.length > 0);

const WITHOUT_EFFECT: readonly (readonly [keyof CodexFlags, why: string])[] = [
  ['search', 'an installed Codex searches if config.toml sets web_search'],
  ['strict-config', 'keys of config.toml that codex-rx does not know are ignored'],
  ['image', 'a server gets its prompts from its client'],
  ['add-dir', 'set sandbox_workspace_write.writable_roots in config.toml, or by -c'],
  ['local-provider', 'set model_provider in config.toml, or by -c; --oss means Ollama'],
  ['no-alt-screen', 'a server has no screen'],
  ['dangerously-bypass-hook-trust', 'codex-rx runs no hooks'],
];

/** What is wrong with the names of features, which become part of a key. */
export const problemOfFlags = ({ enable, disable }: CodexFlags): string | undefined => {
  const bad = [...enable, ...disable].find((name) => !/^[\w-]+$/.test(name));
  return bad === undefined ? undefined : `${bad} is not the name of a feature: letters, digits, _ and - only`;
};
