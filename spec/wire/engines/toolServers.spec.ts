/** The real daemon with MCP servers of its own, whose tools a scripted model calls. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codexCall, greet } from '../../support/daemon/legacy';
import { commandLine, endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { endExecServers, listenExecServer } from '../../support/exec/execSocket';
import { type Home, openHome, removeHomes } from '../../support/home';
import { gone, until } from '../../support/processes';

afterEach(endServers);
afterEach(endExecServers);
afterEach(removeHomes);

const SERVER = resolve(__dirname, '../../support/servers/smallServer.mjs');

const calls = (tool: string, args: Json = {}) => ({
  when: tool,
  answers: [{ items: [{ call: `small__${tool}`, args, id: 'c1' }] }, { items: [{ text: 'It said: {{output}}' }] }],
});

const script = {
  scenes: [
    calls('echo', { text: 'hello' }),
    ...['slow', 'form', 'hang', 'die', 'wrong', 'look', 'odd', 'deep'].map((tool) => calls(tool)),
  ],
  otherwise: { items: [{ text: 'plain' }] },
};

/** A daemon whose config.toml has these servers beside one that is well; each notes what it does. */
const opened = async (moods: Record<string, string> = {}, { more = '', asks = true } = {}) => {
  const home = openHome();
  const log = join(home.path, 'servers.log');
  const table = (name: string, mood: string) =>
    `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([SERVER, mood, log])}\nenv = { OWN = "1" }\nstartup_timeout_sec = ${mood === 'mute' ? 2 : 15}\n`;
  home.write(
    '.codex/config.toml',
    [`${table('small', 'well')}${more}`, ...Object.entries(moods).map(([name, mood]) => table(name, mood))].join('\n'),
  );
  const peer = startServer({ home, script, env: { SECRET_KEY: 'hidden' } });
  await greet(peer, asks ? { elicitation: {} } : {});
  const notes = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
  return { home, peer, notes };
};

const call = (peer: Peer, prompt: string, args: Json = {}, meta?: Json, id = 1) =>
  peer.request('tools/call', codexCall(peer, prompt, { 'approval-policy': 'on-request', ...args }, meta), id);
const textOf = (answer: Json): string => answer.result.content[0].text;
const typesOf = (peer: Peer): string[] => peer.messages.flatMap(({ params }) => params?.msg?.type ?? []);
const msgsOf = (peer: Peer, type: string): Json[] =>
  peer.messages.flatMap(({ params }) => (params?.msg?.type === type ? [params.msg] : []));

describe('tools of MCP servers', () => {
  it('are called by the model, with events before and after; the server is kept for the next call, and ends with the daemon', async () => {
    const { peer, notes } = await opened();
    expect(textOf(await call(peer, 'echo'))).toMatch(/It said: .*hello from \d+/);
    expect(typesOf(peer)).toEqual(expect.arrayContaining(['mcp_tool_call_begin', 'mcp_tool_call_end']));
    expect(msgsOf(peer, 'mcp_tool_call_end')).toMatchObject([
      {
        call_id: 'c1',
        invocation: { server: 'small', tool: 'echo', arguments: { text: 'hello' } },
        result: { Ok: { content: [{ type: 'text' }] } },
      },
    ]);
    await call(peer, 'echo', {}, undefined, 2);
    expect(notes().filter((line) => line.startsWith('start'))).toHaveLength(1);
    const pid = Number(notes()[0]?.split(' ')[1]);
    await peer.end();
    await gone([pid]);
  });

  it('see of the environment only what every program needs, and what is configured for them', async () => {
    const { peer } = await opened();
    const sent = textOf(await call(peer, 'look'));
    expect(sent).toContain('OWN');
    expect(sent).toContain('PATH');
    expect(sent).not.toContain('SECRET_KEY');
  });

  it('hand their progress on, and their questions', async () => {
    const { peer } = await opened();
    expect(textOf(await call(peer, 'slow', {}, { progressToken: 'p' }))).toContain('slow but sure');
    const progressTexts = peer.messages.flatMap(({ method, params }) =>
      method === 'notifications/progress' ? [params.message] : [],
    );
    expect(progressTexts).toEqual(expect.arrayContaining(['calling small/slow', 'small/slow: half (1 of 2)']));
    const answer = call(peer, 'form', {}, undefined, 2);
    const question = await peer.nextOf('elicitation/create');
    expect(question.params).toMatchObject({
      message: 'small: Who are you?',
      requestedSchema: { properties: { name: { type: 'string' } } },
    });
    peer.send({ id: question.id, result: { action: 'accept', content: { name: 'Ann' } } });
    expect(textOf(await answer)).toContain('accept Ann');
  });

  it('are declined if the client cannot be asked', async () => {
    const { peer } = await opened({}, { asks: false });
    expect(textOf(await call(peer, 'form'))).toContain('decline');
  });

  it('are asked about under untrusted, unless they only read', async () => {
    const { peer } = await opened();
    expect(textOf(await call(peer, 'look', { 'approval-policy': 'untrusted' }))).toContain('PATH');
    const answer = call(peer, 'echo', { 'approval-policy': 'untrusted' }, undefined, 2);
    const question = await peer.nextOf('elicitation/create');
    expect(question.params.message).toBe('small: May the tool echo({"text":"hello"}) be called?');
    peer.send({ id: question.id, result: { action: 'decline' } });
    expect(textOf(await answer)).toContain('tool call rejected by user');
  });

  it('report to the model what went wrong: an error of the tool, a tool without output, a server that dies', async () => {
    const { peer, notes } = await opened({}, { more: 'tool_timeout_sec = 0.3\n' });
    expect(textOf(await call(peer, 'wrong'))).toMatch(/tool call error: .*that went wrong/);
    expect(textOf(await call(peer, 'hang', {}, undefined, 2))).toMatch(
      /small\/hang.*the server sent nothing about it for 0.3 s/,
    );
    await until(() => notes().some((line) => line.startsWith('cancelled')), 'the end of the call at the server');
    expect(textOf(await call(peer, 'die', {}, undefined, 3))).toMatch(/the MCP server small ended with exit code 9/);
    expect(textOf(await call(peer, 'echo', {}, undefined, 4))).toContain('hello from');
    expect(notes().filter((line) => line.startsWith('start'))).toHaveLength(2);
  });

  it('do not end the daemon by what is nested too deep to be sent on', async () => {
    const { peer } = await opened();
    expect(textOf(await call(peer, 'deep'))).toContain('nested deeper than 256 levels');
    expect(textOf(await call(peer, 'echo', {}, undefined, 2))).toContain('hello from');
  });

  it('are not offered if their schema is not of an object', async () => {
    const { peer } = await opened();
    expect(textOf(await call(peer, 'odd'))).toContain('unsupported call: small__odd');
  });

  it('take no part in the turn when their server cannot be used, and harm no other', async () => {
    const { peer } = await opened({ dead: 'dead', self: 'self', mute: 'mute' });
    expect(textOf(await call(peer, 'echo'))).toContain('hello from');
    const warnings = msgsOf(peer, 'warning').map(({ message }) => message);
    expect(warnings).toEqual([
      expect.stringMatching(/^MCP client for `dead` failed to start: .*exit code 3.*\ncannot find my database$/),
      expect.stringMatching(/`self` failed to start: it is codex-rx itself/),
      expect.stringMatching(/`mute` failed to start: it did not answer within 2 s/),
    ]);
  });

  it('run where their executor is', async () => {
    const { url } = await listenExecServer();
    const { home, notes } = await opened();
    const table = readFileSync(join(home.path, '.codex/config.toml'), 'utf8');
    home.write('.codex/config.toml', `${table}environment_id = "remote"\n`);
    const peer = startServer({ home, script, env: { CODEX_EXEC_SERVER_URL: url } });
    await greet(peer, { elicitation: {} });
    expect(textOf(await call(peer, 'echo'))).toContain('hello from');
    const pid = Number(notes().at(-1)?.split(' ')[1]);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('smallServer.mjs');
    await peer.end();
    await gone([pid]);
  });

  /** How long a daemon takes to end whose MCP server runs behind an exec-server that it started. */
  const endBehindExecServer = async (): Promise<number> => {
    const { home, notes } = await opened();
    const [program, args] = commandLine('exec-server');
    const toml = `[[environments]]\nid = "box"\nprogram = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}\n`;
    home.write('.codex/environments.toml', toml);
    const table = readFileSync(join(home.path, '.codex/config.toml'), 'utf8');
    home.write('.codex/config.toml', `${table}environment_id = "box"\n`);
    const peer = startServer({ home, script });
    await greet(peer, { elicitation: {} });
    expect(textOf(await call(peer, 'echo'))).toContain('hello from');
    const pid = Number(notes().at(-1)?.split(' ')[1]);
    const endedAt = performance.now();
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    const tookMs = performance.now() - endedAt;
    await gone([pid]);
    return tookMs;
  };

  it('run behind an exec-server that codex-rx starts, which ends with it at once', async () => {
    const waitedMs = 2_500; // by one that waits for its idle connection
    let tookMs = await endBehindExecServer();
    for (let tries = 1; tookMs > waitedMs && tries < 5; tries += 1) tookMs = await endBehindExecServer(); // on a busy machine
    expect(tookMs).toBeLessThan(waitedMs);
  });

  it('fail with a reason if there is no such executor', async () => {
    const { peer } = await opened({}, { more: 'environment_id = "moon"\n' });
    await call(peer, 'echo');
    expect(msgsOf(peer, 'warning')[0]?.message).toMatch(
      /`small` failed to start: .*environment `moon` not found in .*environments.toml/,
    );
  });

  it('are withdrawn with the call', async () => {
    const { peer, notes } = await opened();
    const answer = call(peer, 'hang');
    await peer.nextEvent('mcp_tool_call_begin');
    await until(() => notes().length > 0, 'the server to run');
    peer.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => notes().some((line) => line.startsWith('cancelled')), 'the cancel at the server');
    void answer.catch(() => {});
  });

  it('are none of another codex-rx, however it is called: its entry is skipped if it names codex-rx, and refused at its start if not', async () => {
    const home: Home = openHome();
    const [program, args] = commandLine('mcp-server', '--face', '0.28');
    const table = (name: string, words: string[]) =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(words[0])}\nargs = ${JSON.stringify(words.slice(1))}\n`;
    const hidden = ['/bin/sh', '-c', `exec ${[program, ...args].map((word) => `'${word}'`).join(' ')}`];
    home.write('.codex/config.toml', table('codex', [program, ...args]) + table('me', hidden));
    const peer = startServer({ home, script });
    await greet(peer);
    expect(textOf(await call(peer, 'anything'))).toBe('plain');
    expect(msgsOf(peer, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(/`me` failed to start: .*codex-rx: this server cannot be a tool of itself/s),
    ]);
  });
});
