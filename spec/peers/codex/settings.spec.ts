/** Each setting that our help and pages name, with the engine app-server in front of the newest Codex: none may end its process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { openHomeForCodex, removeHomes } from '../../support/home';
import { closeModels, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed, NEWEST_CODEX } from '../installed';

let codex: string;
beforeAll(() => {
  codex = join(installed(NEWEST_CODEX), 'codex');
}, INSTALL_MS);

afterEach(async () => {
  await endServers();
  closeModels();
});
afterAll(removeHomes);

type Given = { args?: readonly string[]; toml?: string; engine?: 'auto' | 'app-server' };

/** A server whose model runs `touch made` if the prompt says go, and then is done. */
const open = async ({ args = [], toml = '', engine = 'app-server' }: Given): Promise<Peer> => {
  const home = openHomeForCodex();
  const model = await startModel(({ body, say }) => {
    const at = body.input.findLastIndex(({ role }: Json) => role === 'user');
    const answered = body.input.slice(at).some(({ type }: Json) => /_output$/.test(type));
    const command = { cmd: 'touch made' };
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'exec_command' };
    const isGo = JSON.stringify(body.input[at].content).includes('go');
    say(isGo && !answered ? { ...call, arguments: JSON.stringify(command) } : message('Done.'));
  });
  const [before, after] = toml.startsWith('[') ? ['', toml] : [toml, '']; // a table ends with the next one
  home.write('.codex/config.toml', `${before}\n${model.toml}\n${after}\n`);
  home.write('.codex/fast.config.toml', 'model_reasoning_effort = "high"\n');
  home.write('work/own.md', 'Be brief.');
  const peer = startServer({ home, args: ['--engine', engine, '--codex', codex, ...args] });
  await greet(peer, { elicitation: {} });
  return peer;
};

const call = (peer: Peer, prompt: string, args: Json = {}): Promise<Json> =>
  peer.request('tools/call', { ...codexCall(peer, prompt), arguments: { prompt, cwd: peer.home.work, ...args } }, 2);

const POLICIES = ['untrusted', 'on-failure', 'on-request', 'never'];
const MODES = ['read-only', 'workspace-write', 'danger-full-access'];

/** Keys with the values that docs/configuration.md names. */
const KEYS = [
  ...POLICIES.map((policy) => `approval_policy=${policy}`),
  ...MODES.map((mode) => `sandbox_mode=${mode}`),
  ...['minimal', 'low', 'medium', 'high', 'xhigh'].map((effort) => `model_reasoning_effort=${effort}`),
  ...['auto', 'concise', 'detailed', 'none'].map((summary) => `model_reasoning_summary=${summary}`),
  ...['low', 'medium', 'high'].map((verbosity) => `model_verbosity=${verbosity}`),
  ...['disabled', 'cached', 'live'].map((search) => `web_search=${search}`),
  ...['all', 'core', 'none'].map((inherit) => `shell_environment_policy.inherit=${inherit}`),
  ...['save-all', 'none'].map((persistence) => `history.persistence=${persistence}`),
  ...['chatgpt', 'apikey'].map((method) => `preferred_auth_method=${method}`),
  'model_context_window=100000',
  'model_max_output_tokens=1000',
  'model_auto_compact_token_limit=50000',
  'model_supports_reasoning_summaries=true',
  'sandbox_workspace_write.writable_roots=["/srv"]',
  'sandbox_workspace_write.network_access=true',
  'sandbox_workspace_write.exclude_slash_tmp=true',
  'sandbox_workspace_write.exclude_tmpdir_env_var=true',
  'disable_response_storage=true',
  'show_raw_agent_reasoning=true',
  'project_doc_max_bytes=0',
  'model_instructions_file=own.md',
  'experimental_instructions_file=own.md',
  'developer_instructions=hi',
  'compact_prompt=hi',
  'tools.web_search=true',
  'tools.view_image=false',
  'history.max_bytes=1000',
  'thread_store="files"',
  'environment_id=local',
  'allowed_environments=["local"]',
  'responses_originator_header_internal_override=me',
  'profile=fast',
  'notify=["true"]',
  'shell_environment_policy.ignore_default_excludes=true',
  'shell_environment_policy.exclude=["AWS_*"]',
  'shell_environment_policy.set.CI=1',
  'shell_environment_policy.include_only=["PATH"]',
  'mcp_servers={}',
  'mcp_oauth_credentials_store=file',
  'features.web_search_request=true',
];

/** Flags of the help. */
const FLAGS = [
  ...POLICIES.map((policy) => ['-a', policy]),
  ...MODES.map((mode) => ['-s', mode]),
  ['-m', 'gpt-5', '-c', 'approval_policy=untrusted'],
  ['-p', 'fast'],
  ['--full-auto'],
  ['--yolo'],
  ['--enable', 'multi_agent', '--disable', 'apps'],
  ['--search', '--strict-config', '--no-alt-screen'],
];

/** Keys of a config.toml that Codex alone would refuse, and codex-rx hands over in another form. */
const FILES = [
  'approval_policy = "untrusted"',
  'approval_policy = "on-failure"',
  '[profiles.careful]\napproval_policy = "untrusted"',
];

describe(`the engine app-server with ${NEWEST_CODEX}`, () => {
  it.each([
    ...KEYS.map((key): [string, Given] => [`-c ${key}`, { args: ['-c', key] }]),
    ...FLAGS.map((args): [string, Given] => [args.join(' '), { args }]),
    ...FILES.map((toml): [string, Given] => [toml, { toml }]),
  ])('takes %s', async (_, given) => {
    expect(textOf(await call(await open(given), 'hi'))).toBe('Done.');
  });

  it('takes --oss as the local provider of Codex', async () => {
    const peer = await open({ args: ['--oss', '--model-timeout', '1'] });
    expect(textOf(await call(peer, 'hi'))).not.toContain('not found');
  });

  it.each<[string, Given]>([
    ['-c', { args: ['-c', 'approval_policy=untrusted', '-s', 'workspace-write'] }],
    [
      '-a over a looser profile',
      {
        args: ['-a', 'untrusted', '-s', 'workspace-write', '-p', 'loose'],
        toml: '[profiles.loose]\napproval_policy = "never"',
      },
    ],
    ['config.toml', { args: ['-s', 'workspace-write'], toml: 'approval_policy = "untrusted"' }],
  ])('asks before a command under the policy untrusted of %s', async (_, given) => {
    const peer = await open(given);
    const answer = call(peer, 'go');
    const question = await peer.nextOf('elicitation/create');
    expect(existsSync(join(peer.home.work, 'made'))).toBe(false);
    peer.send({ id: question.id, result: { action: 'accept', content: { decision: 'approved' } } });
    expect(textOf(await answer)).toBe('Done.');
    expect(existsSync(join(peer.home.work, 'made'))).toBe(true);
  });

  it.each([
    ['model_verbosity', 'model_verbosity=loud'],
    ['sandbox_mode', 'sandbox_mode=open'],
    ['approval_policy', 'approval_policy=sometimes'],
    ['model_instructions_file', 'model_instructions_file=missing.md'],
  ])('fails the call and names the key, if it refuses %s', async (key, override) => {
    const answer = await call(await open({ args: ['-c', override] }), 'hi');
    expect(answer.result.isError).toBe(true);
    expect(textOf(answer)).toContain(`The installed Codex refuses the setting ${key} (`);
  });

  it('is passed over by auto with a note in the first result only, if it cannot use its configuration', async () => {
    const chat = '[model_providers.y]\nname = "y"\nbase_url = "http://y"\nwire_api = "chat"';
    const peer = await open({ engine: 'auto', toml: chat });
    const first = await call(peer, 'hi');
    expect(first.result.structuredContent.content).toMatch(
      /^Done\.\n\nNote: .*cannot use its configuration .*To use Codex, correct that/s,
    );
    expect(textOf(first)).toBe(first.result.structuredContent.content);
    const second = await peer.request('tools/call', codexCall(peer, 'hi'), 3);
    expect(textOf(second)).toBe('Done.');
  });
});
