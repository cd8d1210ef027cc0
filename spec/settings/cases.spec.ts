/** Runs what the 0.28.0 binary was seen doing, as far as a Config decides it, and lists where codex-rx means to differ. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { settingsOf } from '../../src/protocol/codex/toolArguments';
import type { Config } from '../../src/settings/config';
import { ConfigError } from '../../src/settings/faults/configError';
import { loaded, type World } from './deps';

type Observed = {
  model?: string;
  path?: string;
  context_window?: number | null;
  store?: boolean;
  reasoning?: unknown;
  text?: unknown;
  tools?: string[];
  instructions?: string;
  env?: { cwd: string; approval_policy: string; sandbox_mode: string };
};
type Case = { id: string; note: string; world: World; settings: ThreadSettings; fails: boolean; seen: Observed };

const home = `model = "mock-model"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
`;
const homeWithProfiles = `${home}
[profiles.p]
model = "o4-mini"
approval_policy = "never"
[profiles.q]
model = "qq"
`;

/** Deliberate differences, each with its reason. */
const differences: Record<string, string> = {
  tc24: 'the arguments themselves are decoded by the server, before a Config is asked for',
  tc25: 'as tc24',
  tc27: 'as tc24',
  tc28: 'as tc24',
  tc34: '`..` in cwd is resolved, so that one folder has one name in approvals and events',
  tc41: 'a call may not set model_providers',
  tc43: 'a call may set known keys only',
  tc44: 'as tc43',
  tc45: 'as tc43',
  co008: 'an unknown model of a known family has the window of that family',
  co033: 'a key codex-rx does not use is not checked: files of newer Codex releases do no harm',
  co057: 'the effort `none` is of newer releases',
  co075: 'as co033',
  co078: 'as co033',
  co086: 'wire_api defaults to `responses`, as in newer Codex',
  co088: 'a provider named like a built-in one is laid over it, not ignored',
  co100: 'a profile may hold sandbox_mode',
};

const lines = (name: string) =>
  readFileSync(join(__dirname, 'cases', name), 'utf8')
    .replaceAll('{PORT}', '1')
    .replaceAll('{cwd}', '/project')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const under = (folder: string, files: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

const overrideCases = (): Case[] =>
  lines('config_overrides_dev.jsonl').map((one) => ({
    id: one.id,
    note: one.note,
    world: {
      toml: one.toml ?? home,
      overrides: one.overrides,
      env: one.env ?? {},
      files: under('/project', one.cwdfiles),
    },
    settings: {},
    fails: one.result.error !== undefined,
    seen: { path: one.result.turn_error === undefined ? 'no request' : undefined, ...one.result, tools: undefined },
  }));

const toolCases = (): Case[] =>
  lines('config_tool_dev.jsonl').map((one) => ({
    id: one.id,
    note: one.note,
    world: { toml: homeWithProfiles, files: { '/etc/hostname': 'host' } },
    settings: settingsOf(one.arguments),
    fails: one.result.tool_result.isError === true,
    seen: { ...one.result.observed, context_window: one.result.context_window },
  }));

// Where the first request would go and what it would say, in the terms of a case.
const factsOf = ({ provider, ...config }: Config): Required<Observed> => ({
  model: config.model,
  context_window: config.contextWindow,
  store: !config.disableResponseStorage,
  path: `${new URL(provider.baseUrl!).pathname}/${provider.wireApi === 'chat' ? 'chat/completions' : 'responses'}${query(provider)}`,
  reasoning: config.supportsReasoningSummaries
    ? { effort: config.reasoningEffort, summary: config.reasoningSummary }
    : null,
  text: config.verbosity === undefined ? null : { verbosity: config.verbosity },
  tools: config.includePlanTool ? expect.arrayContaining(['update_plan']) : expect.not.arrayContaining(['update_plan']),
  instructions: config.baseInstructions ?? expect.stringMatching(/^<\d+ chars>$/),
  env: expect.objectContaining({
    cwd: config.cwd,
    approval_policy: config.approvalPolicy,
    sandbox_mode: config.sandboxMode,
  }),
});

const query = ({ queryParams }: Config['provider']) =>
  Object.entries(queryParams).map(([name, value]) => `?${name}=${value}`);

const outcome = ({ world, settings }: Case): Config | ConfigError => {
  try {
    return loaded(world, settings);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
};

// Where the turn ended before a request, the case has an empty env.
const isSilent = (key: string, seen: Record<string, unknown>): boolean => key === 'env' && seen.env === null;

const agrees = (one: Case): void => {
  const result = outcome(one);
  expect(result instanceof ConfigError).toBe(one.fails);
  if (result instanceof ConfigError) return;
  const seen = Object.fromEntries(Object.entries(one.seen).filter(([, value]) => value !== undefined));
  const facts = Object.fromEntries(
    Object.entries(factsOf(result)).filter(([key]) => key in seen && !isSilent(key, seen)),
  );
  expect(seen).toMatchObject(facts);
};

describe.each([
  ['config_overrides', overrideCases()],
  ['config_tool', toolCases()],
])('loadConfig against %s', (_, cases) => {
  const same = cases.filter(({ id }) => !(id in differences));
  it.each(same.map((one) => [one.id, one.note, one] as const))('agrees with %s: %s', (_id, _note, one) => agrees(one));

  const different = cases.filter(({ id }) => id in differences);
  it.each(different.map((one) => [one.id, differences[one.id], one] as const))(
    'differs from %s: %s',
    (_id, _why, one) => expect(() => agrees(one)).toThrow(),
  );
});
