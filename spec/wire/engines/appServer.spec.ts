/** The engine app-server in the real program, in front of a stand-in for Codex: options, login, deadlines, processes. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { type Home, openHome } from '../../support/home';
import { gone } from '../../support/processes';
import { closeModels, message, shellCall, startModel } from '../../support/servers/modelServer';

const CODEX = resolve(__dirname, '../../support/servers/standInCodex.js');

afterEach(async () => {
  await endServers();
  closeModels();
});

type More = { args?: string[]; env?: Record<string, string>; home?: Home };

const open = async ({ args = ['--engine', 'app-server', '--codex', CODEX], env, home }: More = {}): Promise<Peer> => {
  const peer = startServer({ args: [...args, '--log-level', 'info'], env, home });
  await greet(peer);
  return peer;
};

const call = (peer: Peer, prompt: string, args: Json = {}, id = 1): Promise<Json> =>
  peer.request('tools/call', codexCall(peer, prompt, args), id);

/** What the stand-in reports of itself: its arguments, its process, what it was asked, the params of the thread. */
const factsOf = (answer: Json): Json => JSON.parse(textOf(answer));

describe('mcp-server --engine app-server', () => {
  it('hands the settings of flags, profile and call to the Codex that is named', async () => {
    const home = openHome();
    home.write('.codex/config.toml', '[profiles.deep]\nmodel_reasoning_effort = "high"\n');
    const peer = await open({
      home,
      args: ['--engine', 'app-server', '--codex', CODEX, '-m', 'big', '-p', 'deep', '-c', 'a.b=1', '-c', 'c=d'],
    });
    const settings = { 'approval-policy': 'never', config: { model_verbosity: 'low' } };
    expect(factsOf(await call(peer, 'hi', settings))).toMatchObject({
      args: ['app-server', '-c', 'a.b=1', '-c', 'c=d'],
      params: {
        model: 'big',
        cwd: home.work,
        approvalPolicy: 'never',
        sandbox: 'danger-full-access',
        config: { model_reasoning_effort: 'high', model_verbosity: 'low' },
      },
    });
  });

  it('takes the Codex that CODEX_BIN names, and one process for all threads', async () => {
    const peer = await open({ args: ['--engine', 'app-server'], env: { CODEX_BIN: CODEX } });
    const first = factsOf(await call(peer, 'hi'));
    expect(factsOf(await call(peer, 'hi', {}, 2)).pid).toBe(first.pid);
  });

  it('names the places where it looked for a Codex in vain', async () => {
    const peer = await open({ args: ['--engine', 'app-server', '--codex', '/no/codex'] });
    const { result } = await call(peer, 'hi');
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('No codex was found in /no/codex.');
  });

  it('stops a turn whose model is not reached within --model-timeout', async () => {
    const peer = await open({ args: ['--engine', 'app-server', '--codex', CODEX, '--model-timeout', '1'] });
    const { result } = await call(peer, 'retry');
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain(
      'The model could not be reached for 1 s and the turn was stopped. no route',
    );
  });

  it('reports the last lines of a Codex that dies, and goes on with another', async () => {
    const peer = await open();
    const dead = await call(peer, 'die');
    expect(dead.result).toMatchObject({ isError: true });
    expect(textOf(dead)).toContain('The codex app-server ended with exit code 3.\nout of luck'); // without its start-up line
    const [, threadId] = /threadId: (\S+)/.exec(textOf(dead)) ?? [];
    const args = { threadId, prompt: 'hi' };
    const next = await peer.request('tools/call', { name: 'codex-reply', arguments: args }, 2);
    expect(next.result).toMatchObject({ structuredContent: { threadId } });
    expect(factsOf(next).params).toMatchObject({ cwd: peer.home.work });
  });

  it('ends its Codex with itself, in the middle of a turn too', async () => {
    const peer = await open();
    const { pid } = factsOf(await call(peer, 'hi'));
    peer.send({ id: 2, method: 'tools/call', params: codexCall(peer, 'hang') });
    await peer.nextEvent('task_started');
    await peer.nextEvent('task_started');
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    await gone([pid]);
  });

  it('lets its Codex end by itself, which may have processes to end', async () => {
    const home = openHome();
    const farewell = join(home.path, 'farewell');
    const peer = await open({ home, env: { STAND_IN_FAREWELL: farewell } });
    await call(peer, 'hi');
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(existsSync(farewell)).toBe(true);
  });
});

describe('mcp-server --engine auto', () => {
  const args = ['--codex', CODEX];

  it('notes in the first result only that the Codex that was named is not there', async () => {
    const home = openHome();
    home.write('.codex/config.toml', (await startModel(({ say }) => say(message('done')))).toml);
    const peer = await open({ home, args: ['--codex', '/no/codex'] });
    const first = await call(peer, 'hi');
    expect(textOf(first)).toMatch(
      /^done\n\nNote: .*\/no\/codex.* correct --codex or CODEX_BIN, then restart this server\.$/,
    );
    expect(first.result.structuredContent.content).toBe(textOf(first));
    expect(textOf(await call(peer, 'hi', {}, 2))).toBe('done');
  });

  it('takes a Codex that is logged in, and goes on with the process that it asked', async () => {
    const home = openHome();
    home.write('.codex/auth.json', {});
    const peer = await open({ home, args, env: { STAND_IN_ACCOUNT: '1' } });
    expect(factsOf(await call(peer, 'hi')).asked).toEqual([
      'initialize',
      'initialized',
      'account/read',
      'thread/start',
      'turn/start',
    ]);
    expect(peer.stderr()).toMatch(/engine is chosen.*app-server.*is logged in/);
  });

  it('names what is missing if neither Codex nor the native engine can be used', async () => {
    const home = openHome();
    home.write('.codex/auth.json', {});
    const peer = await open({ home, args });
    const { result } = await call(peer, 'hi');
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('OPENAI_API_KEY');
    expect(peer.stderr()).toMatch(/engine is chosen.*native.*is not logged in/);
  });

  it('numbers on a tape the process of the Codex that was asked, and those of the native engine that was chosen, in one row', async () => {
    const model = await startModel(({ n, say }) =>
      say(n === 0 ? shellCall('c1', ['sh', '-c', 'echo it ran']) : message('done')),
    );
    const home = openHome();
    home.write('.codex/config.toml', model.toml);
    home.write('.codex/auth.json', {});
    const tape = join(home.path, 'tape.jsonl');
    const peer = await open({ home, args: [...args, '--record', tape] });
    expect(textOf(await call(peer, 'hi', { 'approval-policy': 'never' }))).toMatch(
      /^done\n\nNote: the engine native ran this, .* is not logged in; .* run codex login, then restart this server\.$/,
    );
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    const entries = readFileSync(tape, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Json => JSON.parse(line));
    const started = entries.filter(({ seam, dir }) => seam === 'executor' && dir === 'in');
    expect(started.map(({ call, line }) => [call, JSON.parse(line).argv.at(-1)])).toEqual([
      [1, 'app-server'],
      [2, 'echo it ran'],
    ]);
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
  });
});
