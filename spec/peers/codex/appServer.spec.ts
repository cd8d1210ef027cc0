/** The engine app-server in front of real Codex binaries, against a model on this machine, as a client sees it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { type Home, openHomeForCodex } from '../../support/home';
import { running, until } from '../../support/processes';
import { closeModels, type Exchange, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed, NEWEST_CODEX } from '../installed';

const RELEASES = ['codex-0.142.0', 'codex-0.169.0', NEWEST_CODEX] as const;
const PATCH = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n';

afterEach(async () => {
  await endServers();
  closeModels();
});

/** A call of whatever this release offers for commands; `more` are arguments besides the command. */
const commandCall = ({ tools, input }: Json, cmd: string, more: Json): Json => {
  const offered = [...(tools ?? []), ...input.flatMap(({ tools: later = [] }: Json) => later)];
  const names = offered.map(({ name }: Json) => name);
  const [name, args] = names.includes('exec_command')
    ? ['exec_command', { cmd, ...more }]
    : ['shell_command', { command: cmd, ...more }];
  const id = `call_${input.length}`;
  return { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(args) };
};

const ESCALATED = { sandbox_permissions: 'require_escalated', justification: 'to see it ask' };

/** The last message of the user, and whether a tool has answered since. */
const lastOf = ({ input }: Json) => {
  const at = input.findLastIndex(({ role }: Json) => role === 'user');
  return {
    prompt: JSON.stringify(input[at].content),
    done: input.slice(at).some(({ type }: Json) => /_output$/.test(type)),
  };
};

/** A model that does what the prompt says, and then reports that it is done. */
const obedient = ({ body, say }: Exchange): unknown => {
  const { prompt, done } = lastOf(body);
  if (prompt.includes('hang')) return;
  if (done || prompt.includes('hi')) return say(message(`Done: ${body.model}`));
  if (prompt.includes('patch')) return say(commandCall(body, `apply_patch <<'EOF'\n${PATCH}EOF`, {}));
  if (prompt.includes('sleep')) return say(commandCall(body, 'echo begun; sleep 600', { yield_time_ms: 20_000 }));
  say(commandCall(body, 'touch ../outside.txt && echo made', ESCALATED));
};

const open = async (codex: string, more: { home?: Home; args?: string[]; asks?: boolean } = {}): Promise<Peer> => {
  const home = more.home ?? openHomeForCodex();
  if (!more.home) home.write('.codex/config.toml', (await startModel(obedient)).toml);
  const peer = startServer({ home, args: ['--engine', 'app-server', '--codex', codex, ...(more.args ?? [])] });
  await greet(peer, more.asks === false ? {} : { elicitation: {} });
  return peer;
};

const call = (peer: Peer, prompt: string, args: Json = {}, id = 2): Promise<Json> =>
  peer.request(
    'tools/call',
    codexCall(peer, prompt, { sandbox: 'workspace-write', 'approval-policy': 'on-request', ...args }),
    id,
  );

const reply = (peer: Peer, threadId: string, prompt: string, id: number): Promise<Json> =>
  peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt } }, id);

const decide = async (peer: Peer, decision: string): Promise<Json> => {
  const question = await peer.nextOf('elicitation/create');
  peer.send({ id: question.id, result: { action: 'accept', content: { decision } } });
  return question.params;
};

const typesOf = (peer: Peer): string[] =>
  peer.messages.flatMap(({ params }) => params?.msg?.type ?? []).filter((type) => type !== 'warning');

const threadOf = (answer: Json): string => answer.result.structuredContent.threadId;

describe.each(RELEASES)('the engine app-server with %s', (release) => {
  let codex: string;
  beforeAll(() => {
    codex = join(installed(release), 'codex');
  }, INSTALL_MS);

  it('answers a call, and a reply on its thread', async () => {
    const peer = await open(codex);
    const first = await call(peer, 'hi');
    const used = { cachedInputTokens: 4, inputTokens: 20, outputTokens: 8, reasoningOutputTokens: 2, totalTokens: 28 };
    expect(first.result.structuredContent).toEqual({
      threadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      content: 'Done: gpt-5',
      usage: { turn: used, thread: used, contextWindow: 258_400 },
      durationMs: expect.any(Number),
      commands: 0,
      changes: [],
      notDone: [],
    });
    expect(typesOf(peer)).toEqual([
      'session_configured',
      'task_started',
      'agent_message_delta',
      'agent_message_delta',
      'agent_message',
      'token_count',
      'task_complete',
    ]);
    expect(textOf(await reply(peer, threadOf(first), 'hi', 3))).toBe('Done: gpt-5');
  });

  it('asks before a command, runs it on a yes', async () => {
    const peer = await open(codex);
    const answer = call(peer, 'go');
    const asked = await decide(peer, 'approved');
    expect(asked).toMatchObject({ codex_elicitation: 'exec-approval', codex_cwd: peer.home.work });
    expect(asked.codex_command.slice(-1)).toEqual(['touch ../outside.txt && echo made']);
    expect(textOf(await answer)).toBe('Done: gpt-5');
    expect(existsSync(join(peer.home.path, 'outside.txt'))).toBe(true);
    const types = typesOf(peer);
    expect(types.indexOf('exec_approval_request')).toBeLessThan(types.indexOf('exec_command_begin'));
    expect(types.indexOf('exec_command_begin')).toBeLessThan(types.indexOf('exec_command_end'));
  });

  it.each([
    ['a no', true, expect.stringMatching(/^Done: gpt-5\n\nNot done: `.*touch.*`: the client declined it$/)],
    ['a client that cannot be asked', false, expect.stringContaining('Not done:')],
  ])('does not run it on %s', async (_, asks, text) => {
    const peer = await open(codex, { asks });
    const answer = call(peer, 'go');
    if (asks) await decide(peer, 'denied');
    expect(textOf(await answer)).toEqual(text);
    expect(existsSync(join(peer.home.path, 'outside.txt'))).toBe(false);
    expect(typesOf(peer)).not.toContain('exec_command_begin');
  });

  it('stops the turn on an abort, and answers', async () => {
    const peer = await open(codex);
    const answer = call(peer, 'go');
    await decide(peer, 'abort');
    expect((await answer).result).toMatchObject({ isError: true });
    expect(textOf(await answer)).toContain('The turn was stopped.');
  });

  it('asks before a patch, and shows what it changes', async () => {
    const peer = await open(codex);
    const answer = call(peer, 'patch', { sandbox: 'read-only' });
    const asked = await decide(peer, 'approved');
    const file = join(peer.home.work, 'hello.txt');
    expect(asked).toMatchObject({
      codex_elicitation: 'patch-approval',
      codex_changes: { [file]: { add: { content: 'hello\n' } } },
    });
    expect(textOf(await answer)).toBe('Done: gpt-5');
    expect(readFileSync(file, 'utf8')).toBe('hello\n');
    const types = typesOf(peer);
    expect(types.indexOf('apply_patch_approval_request')).toBeLessThan(types.indexOf('patch_apply_begin'));
    expect(types).toEqual(expect.arrayContaining(['patch_apply_end', 'turn_diff']));
  });

  it('stops a turn whose command runs, ends the command, and goes on with the thread', async () => {
    const peer = await open(codex);
    const params = codexCall(peer, 'sleep', { sandbox: 'danger-full-access', 'approval-policy': 'never' });
    peer.send({ id: 2, method: 'tools/call', params });
    const { threadId } = (await peer.nextEvent('exec_command_begin')).params._meta;
    await until(() => running('sleep\x00600', peer.home.path).length > 0, 'the command');
    peer.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await peer.nextEvent('turn_aborted');
    expect(textOf(await reply(peer, threadId, 'hi', 3))).toBe('Done: gpt-5');
    expect(peer.messages.filter(({ id }) => id === 2)).toEqual([]);
    await until(() => running('sleep\x00600', peer.home.path).length === 0, 'the end of the command');
  });

  it('resumes a thread after a restart, under the settings it had', async () => {
    const peer = await open(codex);
    const threadId = threadOf(await call(peer, 'hi'));
    await peer.end();
    const again = await open(codex, { home: peer.home });
    const answer = reply(again, threadId, 'go', 3);
    await decide(again, 'approved');
    expect(textOf(await answer)).toBe('Done: gpt-5');
    expect((await reply(again, '00000000-0000-7000-8000-000000000000', 'hi', 4)).result.isError).toBe(true);
  });

  it('answers when the app-server is killed, and goes on with the next one', async () => {
    const peer = await open(codex);
    const threadId = threadOf(await call(peer, 'hi'));
    const answer = reply(peer, threadId, 'hang', 3);
    await peer.nextEvent('task_started');
    await peer.nextEvent('task_started');
    for (const pid of running('/codex\0app-server', peer.home.path)) process.kill(pid, 'SIGKILL');
    expect((await answer).result).toMatchObject({ isError: true });
    expect(textOf(await answer)).toContain('The codex app-server ended');
    expect(textOf(await reply(peer, threadId, 'hi', 4))).toBe('Done: gpt-5');
  });

  it.each([
    ['is left by its client', (peer: Peer) => peer.end()],
    [
      'is killed',
      (peer: Peer) => {
        process.kill(peer.child.pid as number, 'SIGKILL');
        return peer.ended;
      },
    ],
  ])('leaves nothing behind when it %s while a command runs', async (_, end) => {
    const peer = await open(codex);
    const params = codexCall(peer, 'sleep', { sandbox: 'danger-full-access', 'approval-policy': 'never' });
    peer.send({ id: 2, method: 'tools/call', params });
    await peer.nextEvent('exec_command_begin');
    await until(() => running('sleep\x00600', peer.home.path).length > 0, 'the command');
    await end(peer);
    await until(() => running('', peer.home.path).length === 0, 'the end of all its processes');
  });

  it('leaves no MCP server of Codex behind that never came up', async () => {
    const home = openHomeForCodex();
    const server = `[mcp_servers.s]\ncommand = "sleep"\nargs = ["601"]\nstartup_timeout_sec = 2\n`;
    home.write('.codex/config.toml', (await startModel(obedient)).toml + server);
    const peer = await open(codex, { home });
    expect(textOf(await call(peer, 'hi'))).toBe('Done: gpt-5');
    await peer.end();
    await until(() => running('', home.path).length === 0, 'the end of all its processes');
  });

  it('stops a turn whose model cannot be reached, and reports it', async () => {
    const home = openHomeForCodex();
    const { toml, close } = await startModel(obedient);
    close();
    home.write('.codex/config.toml', toml);
    const peer = await open(codex, { home, args: ['--model-timeout', '1'] });
    const answer = await call(peer, 'hi');
    expect(answer.result.isError).toBe(true);
    expect(textOf(answer)).toContain('threadId:');
  });

  it('takes -m, -c and a profile', async () => {
    const home = openHomeForCodex();
    const { toml, requests } = await startModel(obedient);
    home.write('.codex/config.toml', `${toml}\n[profiles.deep]\nmodel_reasoning_effort = "high"\nmodel = "gpt-5.5"\n`);
    const peer = await open(codex, { home, args: ['-m', 'gpt-5-mini', '-c', 'model_reasoning_summary="detailed"'] });
    expect(textOf(await call(peer, 'hi'))).toBe('Done: gpt-5-mini');
    expect(textOf(await call(peer, 'hi', { profile: 'deep' }, 3))).toBe('Done: gpt-5.5');
    expect(requests.at(-1)?.reasoning).toMatchObject({ effort: 'high', summary: 'detailed' });
    expect(textOf(await call(peer, 'hi', { profile: 'shallow' }, 4))).toContain('shallow');
  });
});

describe('--engine auto', () => {
  it.each(RELEASES)('takes a logged-in %s', async (release) => {
    const home = openHomeForCodex();
    const { toml } = await startModel(obedient);
    home.write('.codex/config.toml', toml.replace('wire_api', 'requires_openai_auth = true\nwire_api'));
    home.write('.codex/auth.json', { OPENAI_API_KEY: 'sk-spec' });
    const peer = startServer({ home, args: ['--codex', join(installed(release), 'codex'), '--log-level', 'info'] });
    await greet(peer, { elicitation: {} });
    expect(textOf(await call(peer, 'hi'))).toBe('Done: gpt-5');
    expect(peer.stderr()).toMatch(/engine is chosen.*app-server.*is logged in/);
  });

  it('takes a Codex that is not logged in if its model provider needs no login', async () => {
    const home = openHomeForCodex();
    home.write('.codex/config.toml', (await startModel(obedient)).toml);
    const peer = startServer({
      home,
      args: ['--codex', join(installed('codex-0.142.0'), 'codex'), '--log-level', 'info'],
    });
    await greet(peer, { elicitation: {} });
    expect(textOf(await call(peer, 'hi'))).toBe('Done: gpt-5');
    expect(peer.stderr()).toMatch(/engine is chosen.*app-server.*needs no login/);
  });
});
