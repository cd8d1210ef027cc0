/** The agent as an editor starts it: sessions outlive the process, and either protocol continues what the other began. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { greet } from '../../support/daemon/legacy';
import {
  attach,
  commandLine,
  endServers,
  type Json,
  type Peer,
  scripted,
  startServer,
} from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { type Home, openHome } from '../../support/home';

const run = (...command: string[]) => ({ call: 'shell', args: { command } });
const PATCH = '*** Begin Patch\n*** Update File: a.txt\n@@\n-in the editor\n+changed\n*** End Patch';
const script = {
  scenes: [
    { when: 'long', answers: [{ items: [{ text: 'I wait.' }, run('sh', '-c', 'printf %s%s be gun; exec sleep 30')] }] },
    { when: 'edit', answers: [{ items: [run('apply_patch', PATCH)] }, { items: [{ text: 'Done.' }] }] },
    { when: 'recall', answers: [{ items: [{ text: 'You said: {{prompt}}' }] }] },
  ],
  otherwise: { items: [{ text: 'hello' }] },
};

const startAgent = async (home: Home): Promise<Peer> => {
  const peer = startServer({ command: 'acp', home, script, args: ['--engine', 'native', '-a', 'never'] });
  await peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return peer;
};

const at = (home: Home): Json => ({ cwd: home.work, mcpServers: [] });
const promptOf = (sessionId: string, text: string): Json => ({ sessionId, prompt: [{ type: 'text', text }] });
const updatesOf = ({ messages }: Peer): Json[] =>
  messages.flatMap(({ method, params }) => (method === 'session/update' ? [params.update] : []));

afterAll(endServers);

describe('codex-rx acp', () => {
  it('loads what came before it was killed, with no call left open, and goes on', async () => {
    const home = openHome();
    const first = await startAgent(home);
    const { sessionId } = (await first.request('session/new', at(home))).result;
    first.send({ id: 'p', method: 'session/prompt', params: promptOf(sessionId, 'long') });
    await first.next(({ params }) => params?.update?.status === 'in_progress', 'the command');
    first.child.kill('SIGKILL');
    await first.ended;

    const second = await startAgent(home);
    const loaded = await second.request('session/load', { ...at(home), sessionId });
    expect(loaded.result.modes.currentModeId).toBe('custom');
    expect(updatesOf(second).map(({ sessionUpdate, status }) => status ?? sessionUpdate)).toEqual(
      expect.arrayContaining(['user_message_chunk', 'agent_message_chunk', 'failed']),
    );
    expect((await second.request('session/prompt', promptOf(sessionId, 'and now?'))).result).toEqual({
      stopReason: 'end_turn',
    });
    expect((await second.request('session/list', { cwd: home.work })).result.sessions).toMatchObject([
      { sessionId, cwd: home.work, title: 'long' },
    ]);
    expect(await second.end()).toEqual({ code: 0, signal: null });
  });

  it('continues a thread of MCP, and MCP continues its own', async () => {
    const home = openHome();
    const mcp = startServer({ home, script, args: ['--engine', 'native'] });
    await greet(mcp);
    const call = (name: string, given: Json) => mcp.request('tools/call', { name, arguments: given });
    const { threadId } = (await call('codex', { prompt: 'hi', cwd: home.work })).result.structuredContent;
    await mcp.end();

    const agent = await startAgent(home);
    await agent.request('session/resume', { ...at(home), sessionId: threadId });
    expect(updatesOf(agent).map(({ sessionUpdate }) => sessionUpdate)).toEqual(['available_commands_update']);
    expect((await agent.request('session/prompt', promptOf(threadId, 'recall this'))).result.stopReason).toBe(
      'end_turn',
    );
    await agent.end();

    const again = startServer({ home, script, args: ['--engine', 'native'] });
    await greet(again);
    const reply = await again.request('tools/call', { name: 'codex-reply', arguments: { prompt: 'x', threadId } });
    expect(reply.result.structuredContent).toMatchObject({ threadId, content: 'hello' });
  });

  it('has a tape of files of its editor, which plays as agent, as client and as daemon', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const file = join(home.work, 'a.txt');
    writeFileSync(file, 'on the disk\n');
    const files = { readTextFile: true, writeTextFile: true };
    const edit = async (agent: Peer) => {
      await agent.request('initialize', { protocolVersion: 1, clientCapabilities: { fs: files } });
      const { sessionId } = (await agent.request('session/new', at(home))).result;
      const turn = agent.request('session/prompt', promptOf(sessionId, 'edit'));
      const answer = async (method: string, result: Json) => {
        const asked = await agent.nextOf(method);
        agent.send({ id: asked.id, result });
        return asked.params;
      };
      for (const _ of ['check', 'apply']) await answer('fs/read_text_file', { content: 'in the editor\n' });
      expect(await answer('fs/write_text_file', {})).toMatchObject({ path: file, content: 'changed\n' });
      expect((await turn).result.stopReason).toBe('end_turn');
      expect(await agent.end()).toEqual({ code: 0, signal: null });
    };
    await edit(startServer({ command: 'acp', home, script, args: ['-s', 'workspace-write', '--record', tape] }));
    expect(readFileSync(file, 'utf8')).toBe('on the disk\n');
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
    await edit(attach(spawn(...commandLine('replay', tape), { cwd: home.work, env: home.env }), home));
    const agent = commandLine('acp', ...scripted(home, script), '-s', 'workspace-write').flat();
    const [program, args] = commandLine('replay', tape, '--', ...agent);
    const { stdout } = spawnSync(program, args, { cwd: home.work, env: home.env, encoding: 'utf8' });
    expect(stdout).toMatch(/^SAME: /);
  });

  it('refuses a login without a terminal at once', () => {
    const { status, stderr } = spawnSync(process.execPath, [join('bin', 'codex-rx.js'), 'acp', '--login'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('--login needs a terminal; run') });
  });

  it('ends with its input, and so does what it runs', async () => {
    const home = openHome();
    const agent = await startAgent(home);
    const { sessionId } = (await agent.request('session/new', at(home))).result;
    agent.send({ id: 'p', method: 'session/prompt', params: promptOf(sessionId, 'long') });
    await agent.next(
      ({ params }) => JSON.stringify(params?.update ?? '').includes('begun'),
      'the output of the command',
    );
    const began = Date.now();
    expect(await agent.end()).toEqual({ code: 0, signal: null });
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(agent.messages).toContainEqual({ jsonrpc: '2.0', id: 'p', result: { stopReason: 'cancelled' } });
  });
});
