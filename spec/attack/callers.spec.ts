/** Callers that ask for more than they may: keys in `config`, however they are spelt; sessions of ACP above the ceiling; forged answers. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { CALL_KEYS } from '../../src/settings/limits/callKeys';
import { refusal } from '../settings/deps';
import { endServers, type Json, type Peer, startServer } from '../support/daemon/peer';
import { openHome } from '../support/home';
import { needs } from '../support/needs/needs';

const REFUSED =
  /^argument config, key .*: (?:a call may not set .*; the server's flag --allow-call-config .* lets calls|it is no key of the configuration)/s;

/** The same key as one dotted path, as nested tables, and half and half. */
const spellings = (path: readonly string[], value: unknown): Record<string, unknown>[] =>
  path.map((_, at) => ({
    [path.slice(0, at + 1).join('.')]: path
      .slice(at + 1)
      .reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  }));

describe('the config of a call', () => {
  it.each([
    ['mcp_servers.x.command', 'sh'],
    ['model_providers.openai.base_url', 'https://example.com'],
    ['notify', ['sh', '-c', 'true']],
    ['shell_environment_policy.set.BASH_ENV', '/w/evil'],
    ['shell_environment_policy.experimental_use_profile', true],
    ['projects./w.trust_level', 'trusted'],
    ['profiles.default.sandbox_mode', 'danger-full-access'],
    ['permissions.p.network.enabled', true],
    ['features.hooks', true],
    ['features.exec_permission_approvals', false],
    ['sandbox_workspace_write.whatever_comes_next', true],
    ['experimental_compact_prompt_file', '/etc/hostname'],
    ['project_doc_fallback_filenames', ['../../.netrc']],
    ['history.max_bytes', 1],
    ['log_dir', '/tmp/x'],
    ['thread_store', 'nats://example.com'],
  ])('cannot set %s', (key, value) => {
    for (const config of spellings(key.split('.'), value)) expect(refusal({}, { config })).toMatch(REFUSED);
  });

  it('cannot hide such a key behind one that is allowed', () => {
    expect(refusal({}, { config: { model: 'm', 'tools.web_search': false, notify: ['sh'] } })).toMatch(REFUSED);
  });

  it('cannot set an unknown key', () => {
    const names = fc.array(fc.stringMatching(/^[a-z][a-z_]{2,15}$/), { minLength: 1, maxLength: 4 });
    const isKnown = (path: readonly string[]) => CALL_KEYS.some((key) => `${path.join('.')}.`.startsWith(`${key}.`));
    fc.assert(
      fc.property(names, fc.constantFrom(true, false, 1, 'x', {}, []), (path, value) => {
        fc.pre(!isKnown(path));
        for (const config of spellings(path, value)) expect(refusal({}, { config })).toMatch(REFUSED);
      }),
      { numRuns: 200 },
    );
  });

  it.each([501, 50_000])('cannot set %d values, however they are nested', (count) => {
    const keys = Array.from({ length: count }, (_, i) => `k${i}`);
    const below = (prefix: string) => Object.fromEntries(keys.map((key) => [prefix + key, 1]));
    const configs = [
      below(''),
      below('tools.view_image.'),
      { mcp_servers: below('') },
      { shell_environment_policy: { exclude: keys } },
    ];
    for (const config of configs) expect(refusal({}, { config })).toBe(TOO_MANY);
  });
});

const TOO_MANY = 'argument config: it has more than 500 values; put settings that stay into config.toml';

const ESCALATED = {
  call: 'shell',
  args: { command: ['touch', 'made'], with_escalated_permissions: true, justification: 'I want to' },
};
const patchOf = (path: string) => ({
  call: 'apply_patch',
  args: { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-old\n+new\n*** End Patch` },
});
const script = {
  scenes: [
    { when: 'escalate', answers: [{ items: [ESCALATED] }, { items: [{ text: 'over' }] }] },
    {
      when: 'patch',
      answers: [{ items: ['link', 'keys/config', 'fine'].map(patchOf) }, { items: [{ text: 'over' }] }],
    },
    {
      when: 'run',
      answers: [{ items: [{ call: 'shell', args: { command: ['touch', 'made'] } }] }, { items: [{ text: 'over' }] }],
    },
  ],
};

const opened = async (
  args: string[],
  clientCapabilities = {},
): Promise<{ peer: Peer; open: (params?: Json) => Promise<Json> }> => {
  const home = openHome();
  const peer = startServer({
    command: 'acp',
    home,
    script,
    args: ['--engine', 'native', ...args],
    env: { SERVICE_TOKEN: 's3cret' },
  });
  await peer.request('initialize', { protocolVersion: 1, clientCapabilities });
  return {
    peer,
    open: (params) => peer.request('session/new', { cwd: home.work, mcpServers: [], ...params }),
  };
};

const server = (file: string) => ({ name: 'own', command: '/usr/bin/touch', args: [file], env: [] });

afterAll(endServers);

describe('a session below `-s read-only`', () => {
  let agent: Awaited<ReturnType<typeof opened>>;
  let sessionId = '';
  beforeAll(async () => {
    agent = await opened(['-s', 'read-only', '-a', 'on-request']);
    sessionId = (await agent.open()).result.sessionId;
  });

  it.each([
    ['session/set_mode', { modeId: 'auto' }],
    ['session/set_mode', { modeId: 'full-access' }],
    ['session/set_config_option', { configId: 'sandbox_mode', value: 'workspace-write' }],
    ['session/set_config_option', { configId: 'approval_policy', value: 'never' }],
  ])('is not made looser by %s %j', async (method, params) => {
    expect(await agent.peer.request(method, { sessionId, ...params })).toMatchObject({ error: { code: -32602 } });
  });

  it('writes to no further folder, and starts no server', async () => {
    const { work } = agent.peer.home;
    const file = join(work, 'started');
    for (const params of [{ additionalDirectories: [work] }, { mcpServers: [server(file)] }]) {
      const { error } = await agent.open(params);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('--allow-call-') });
    }
    expect(existsSync(file)).toBe(false);
  });

  it('asks no server of models of its client', async () => {
    const { peer, open } = agent;
    const baseUrl = 'https://models.example.com';
    const set = { providerId: 'openai', apiType: 'openai', baseUrl };
    for (const [method, params] of [
      ['providers/set', set],
      ['authenticate', { methodId: 'gateway', _meta: { gateway: { baseUrl } } }],
    ] as const) {
      const { error } = await peer.request(method, params);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('--allow-call-config') });
    }
    const { providers } = (await peer.request('providers/list', {})).result;
    expect(providers).toEqual([{ providerId: 'openai', supported: ['openai'], required: false, current: null }]);
    expect(await open()).toHaveProperty('result.sessionId');
  });

  const { it: itSandboxed } = needs('sandbox');
  itSandboxed('runs nothing by an answer that nobody was asked for, or that was not offered', async () => {
    const { peer } = agent;
    const yes = { outcome: { outcome: 'selected', optionId: 'allow_once' } };
    const forged = [0, 1, 2, 3, '0', -1].map((id) => ({ id, result: yes }));
    peer.send(...forged);
    peer.send({
      id: 'p',
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: 'escalate' }] },
    });
    const { id } = await peer.nextOf('session/request_permission');
    peer.send({ id: String(id), result: yes });
    peer.send({ id, result: { outcome: { outcome: 'selected', optionId: 'approved' }, decision: 'approved' } });
    peer.send({ id, result: yes });
    const answer = await peer.next((message) => message.id === 'p', 'the answer to the prompt');
    expect(answer).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(existsSync(join(peer.home.work, 'made'))).toBe(false);
  });
});

describe('a session below `--lock`', () => {
  it('stays in the folder of the agent', async () => {
    const { peer, open } = await opened(['--lock']);
    const outside = join(peer.home.path, 'outside');
    mkdirSync(outside);
    const message = expect.stringContaining('--lock');
    expect(await open({ cwd: outside })).toMatchObject({ error: { code: -32602, message } });
    expect(await open({ additionalDirectories: [outside] })).toMatchObject({ error: { code: -32602 } });
    const { sessionId } = (await open()).result;
    for (const method of ['session/load', 'session/resume'])
      expect(await peer.request(method, { sessionId, cwd: outside, mcpServers: [] })).toMatchObject({
        error: { code: -32602 },
      });
  });
});

describe('an editor with files', () => {
  it('is asked for no file outside of its folders, behind a link, or in a place of keys, whatever is approved', async () => {
    const fs = { readTextFile: true, writeTextFile: true };
    const { peer, open } = await opened(['-a', 'never', '-s', 'danger-full-access'], { fs });
    const { path, work } = peer.home;
    mkdirSync(join(work, 'keys'));
    symlinkSync(join(work, 'keys'), join(path, '.ssh'));
    symlinkSync(join(path, 'outside'), join(work, 'link'));
    const files = [join(path, 'outside'), join(work, 'keys/config'), join(work, 'fine')];
    for (const file of files) writeFileSync(file, 'old\n');
    const { sessionId } = (await open()).result;
    peer.send({ id: 'p', method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'patch' }] } });
    for (const method of ['fs/read_text_file', 'fs/read_text_file', 'fs/write_text_file']) {
      const { id, params } = await peer.next((message) => `${message.method}`.startsWith('fs/'), 'a file is asked for');
      expect(params).toEqual({
        sessionId,
        path: join(work, 'fine'),
        ...(method.includes('write') && { content: 'b\nnew\n' }),
      });
      peer.send({ id, result: method.includes('write') ? null : { content: 'b\nold\n' } });
    }
    await peer.next((message) => message.id === 'p', 'the answer to the prompt');
    expect(peer.messages.filter(({ method }) => `${method}`.startsWith('fs/'))).toHaveLength(3);
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(['new\n', 'new\n', 'old\n']);
  });
});

describe('a client with terminals', () => {
  const begin = async (args: string[], text: string) => {
    const { peer, open } = await opened(args, { terminal: true });
    const { sessionId } = (await open()).result;
    const prompt = (id: string, sessionId: string) =>
      peer.send({ id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } });
    prompt('p', sessionId);
    return { peer, open, sessionId, prompt, over: (id = 'p') => peer.next((one) => one.id === id, 'the answer') };
  };
  const askedOf = ({ messages }: Peer) => messages.filter(({ method }) => `${method}`.startsWith('terminal/'));

  it('is given no command that was rejected, and no secret of this program with a command that was allowed', async () => {
    const { peer, sessionId, prompt, over } = await begin(['-a', 'untrusted', '-s', 'danger-full-access'], 'run');
    const rejected = await peer.nextOf('session/request_permission');
    peer.send({ id: rejected.id, result: { outcome: { outcome: 'selected', optionId: 'reject_once' } } });
    await over();
    expect(askedOf(peer)).toEqual([]);

    prompt('q', sessionId);
    const { id } = await peer.nextOf('session/request_permission');
    peer.send({ id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
    const { params, id: create } = await peer.nextOf('terminal/create');
    expect(params).toMatchObject({ sessionId, command: 'touch', args: ['made'], cwd: peer.home.work });
    expect(params.env).toContainEqual({ name: 'SERVICE_TOKEN', value: '' });
    peer.send({ id: create, error: { code: -32603, message: 'no' } });
    await over('q');
    expect(existsSync(join(peer.home.work, 'made'))).toBe(false);
  });

  const { it: itSandboxed } = needs('sandbox');
  itSandboxed('is given no command that must stay in the sandbox, whatever is approved', async () => {
    for (const [args, text] of [
      [['-s', 'workspace-write', '-a', 'never'], 'run'],
      [['--lock', '-s', 'workspace-write', '-a', 'never'], 'escalate'],
      [['-s', 'workspace-write', '-a', 'on-request'], 'run'],
    ] as const) {
      const { peer, over } = await begin([...args], text);
      expect(await over()).toMatchObject({ result: { stopReason: 'end_turn' } });
      expect(askedOf(peer)).toEqual([]);
    }
  });

  it('ends no command of another session, and brings no result, by a forged answer', async () => {
    const { peer, open, sessionId, prompt } = await begin(['-a', 'never', '-s', 'danger-full-access'], 'run');
    const first = await peer.nextOf('terminal/create');
    peer.send({ id: first.id, result: { terminalId: 'mine' } });
    const wait = await peer.nextOf('terminal/wait_for_exit');
    const other = (await open()).result.sessionId;
    peer.send(
      ...[0, 1, 2, 3, 4, 5]
        .filter((id) => id !== wait.id)
        .map((id) => ({ id, result: { terminalId: 'x', exitCode: 0 } })),
    );
    prompt('q', other);
    const second = await peer.nextOf('terminal/create');
    expect(second.params.sessionId).toBe(other);
    peer.send({ id: second.id, result: { terminalId: 'mine' } }, { id: second.id, result: { terminalId: 'x' } });
    const otherWait = await peer.nextOf('terminal/wait_for_exit');
    expect(otherWait.params).toEqual({ sessionId: other, terminalId: 'mine' });
    peer.send({ id: String(wait.id), result: { exitCode: 0 } }, { id: otherWait.id, result: { exitCode: 2 ** 60 } });
    const output = await peer.nextOf('terminal/kill');
    peer.send({ method: 'session/cancel', params: { sessionId: other } }, { id: output.id, result: {} });
    await peer.next((one) => one.id === 'q', 'the answer');
    const ends = askedOf(peer).filter(({ method }) => /kill|release/.test(method));
    expect(ends.length).toBeGreaterThan(1);
    expect(ends.filter(({ params }) => params.sessionId === sessionId)).toEqual([]);
  });
});

describe('a session without a ceiling', () => {
  it('works in no place of keys', async () => {
    const { peer, open } = await opened([]);
    const ssh = join(peer.home.path, '.ssh');
    mkdirSync(ssh);
    for (const params of [{ cwd: ssh }, { additionalDirectories: [ssh] }])
      expect(await open(params)).toMatchObject({ error: { code: -32602, message: expect.stringContaining('keys') } });
  });
});
