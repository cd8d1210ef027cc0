/** The real daemon whose threads work on a real exec-server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { greet } from '../../support/daemon/legacy';
import { commandLine, endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { endExecServers, listenExecServerWith, openRoad } from '../../support/exec/execSocket';
import { openHome, removeHomes } from '../../support/home';
import { needs } from '../../support/needs/needs';
import { gone, parentOf, until } from '../../support/processes';

afterEach(endServers);
afterEach(endExecServers);
afterEach(removeHomes);

const says = (call: Json) => [{ items: [{ id: 'c1', ...call }] }, { items: [{ text: 'It said: {{output}}' }] }];
const runs = (when: string, script: string, own: Json = {}) => ({
  when,
  answers: says({ call: 'shell', args: { command: ['bash', '-lc', script], ...own } }),
});
const patches = (when: string, ...lines: string[]) => ({
  when,
  answers: says({ call: 'apply_patch', args: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') } }),
});

/** A machine with a project; `MACHINE` is a variable of it alone. */
const machine = async (...args: string[]) => {
  const there = openHome();
  const project = join(there.path, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, 'a.txt'), 'one\ntwo\n');
  const server = await listenExecServerWith(
    { MACHINE: 'there', HOME: there.path },
    ...args.map((arg) => arg.replace('PROJECT', project)),
  );
  return { ...server, project, there };
};

const daemon = async (url: string, project: string, scenes: Json[], toml = 'environment_id = "box"\n') => {
  const home = openHome();
  home.write('.codex/environments.toml', `[[environments]]\nid = "box"\nurl = "${url}"\ndefault_cwd = "${project}"\n`);
  home.write('.codex/config.toml', toml);
  const peer = startServer({ home, script: { scenes, otherwise: { items: [{ text: 'plain: {{prompt}}' }] } } });
  await greet(peer, { elicitation: {} });
  return { peer, home };
};
const call = (peer: Peer, prompt: string, args: Json = {}, id = 1) =>
  peer.request(
    'tools/call',
    { name: 'codex', arguments: { prompt, 'approval-policy': 'never', sandbox: 'workspace-write', ...args } },
    id,
  );
const textOf = (answer: Json): string => answer.result.content[0].text;

describe('a thread in an environment behind a WebSocket', () => {
  needs('sandbox').it('runs its commands there, in the folder there, with the variables of that machine', async () => {
    const { url, project } = await machine();
    const { peer } = await daemon(url, project, [runs('where', 'echo $MACHINE:$PWD')]);
    expect(textOf(await call(peer, 'where'))).toContain(`there:${project}`);
    await peer.end();
  });

  needs('sandbox').it('applies patches there, in both forms, all or nothing', async () => {
    const { url, project } = await machine();
    const patch = ['*** Begin Patch', '*** Add File: c/new.txt', '+heredoc', '*** End Patch'].join('\n');
    const { peer } = await daemon(url, project, [
      patches('tool', '*** Update File: a.txt', '@@', ' one', '-two', '+2', '*** Add File: b/new.txt', '+new'),
      runs('heredoc', `apply_patch <<'EOF'\n${patch}\nEOF\n`),
      patches('wrong', '*** Add File: d.txt', '+d', '*** Update File: a.txt', '@@', '-absent', '+x'),
    ]);
    expect(textOf(await call(peer, 'tool'))).toMatch(/Success. Updated the following files:.*A b\/new.txt.*M a.txt/s);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\n2\n');
    expect(readFileSync(join(project, 'b/new.txt'), 'utf8')).toBe('new\n');
    expect(textOf(await call(peer, 'heredoc', {}, 2))).toMatch(/A c\/new.txt/);
    expect(readFileSync(join(project, 'c/new.txt'), 'utf8')).toBe('heredoc\n');
    expect(textOf(await call(peer, 'wrong', {}, 3))).toMatch(/Failed to find expected lines \["absent"\] in/);
    expect(existsSync(join(project, 'd.txt'))).toBe(false);
    await peer.end();
  });

  needs('sandbox').it(
    'is kept by the sandbox there: what leads out of its folder is refused by that machine',
    async () => {
      const { url, project, there } = await machine();
      const toml =
        'environment_id = "box"\n[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n';
      const scenes = [runs('out', `echo no > ${there.path}/out`), runs('in', 'echo yes > in')];
      const { peer } = await daemon(url, project, scenes, toml);
      expect(textOf(await call(peer, 'out'))).toMatch(/Read-only file system|Permission denied/);
      expect(existsSync(join(there.path, 'out'))).toBe(false);
      await call(peer, 'in', {}, 2);
      expect(readFileSync(join(project, 'in'), 'utf8')).toBe('yes\n');
      await peer.end();
    },
  );

  it('shares one connection with the MCP servers of that environment', async () => {
    const { url, project } = await machine();
    const road = await openRoad(url);
    const args = JSON.stringify([
      resolve(__dirname, '../../support/servers/smallServer.mjs'),
      'well',
      join(project, 'log'),
    ]);
    const server = `[mcp_servers.small]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\nenvironment_id = "box"\n`;
    const echo = { when: 'echo', answers: says({ call: 'small__echo', args: { text: 'hello' } }) };
    const scenes = [runs('where', 'echo $MACHINE'), echo];
    const { peer } = await daemon(road.url, project, scenes, `environment_id = "box"\n${server}`);
    expect(textOf(await call(peer, 'where'))).toContain('there');
    expect(textOf(await call(peer, 'echo', {}, 2))).toContain('hello from');
    expect(road.visits()).toBe(1);
    await peer.end();
    road.close();
  });

  it('asks before a command leaves, and runs it there only once it is approved', async () => {
    const { url, project } = await machine();
    const { peer } = await daemon(url, project, [runs('write', 'echo $MACHINE > said')]);
    const answer = call(peer, 'write', { 'approval-policy': 'untrusted' });
    const question = await peer.nextOf('elicitation/create');
    expect(question.params.message).toContain('echo $MACHINE');
    expect(existsSync(join(project, 'said'))).toBe(false);
    peer.send({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { decision: 'approved' } } });
    await answer;
    expect(readFileSync(join(project, 'said'), 'utf8')).toBe('there\n');
    await peer.end();
  });

  needs('sandbox').it(
    'does no more than the ceiling of the executor lets it, whatever its own settings are',
    async () => {
      const { url, project, there } = await machine('--root', 'PROJECT');
      const { peer } = await daemon(url, project, [
        runs('command', `echo yes > in; echo no > ${there.path}/out`),
        patches('patch', `*** Add File: ${there.path}/patched`, '+no'),
      ]);
      const free = { sandbox: 'danger-full-access' };
      expect(textOf(await call(peer, 'command', free))).toMatch(
        /Read-only file system.*a limit that no approval lifts: this exec-server lets its clients write in .*project only, .*\(--root\)/s,
      );
      expect(readFileSync(join(project, 'in'), 'utf8')).toBe('yes\n');
      expect(textOf(await call(peer, 'patch', free, 2))).toMatch(
        /Failed to write file .*patched: Read-only file system \(os error 30\). No file was changed/,
      );
      expect(existsSync(join(there.path, 'out')) || existsSync(join(there.path, 'patched'))).toBe(false);
      await peer.end();
    },
  );

  it('is refused if the executor does not allow its method, with the flag for it', async () => {
    const { url, project } = await machine('--deny-method', 'process/start');
    const { peer } = await daemon(url, project, [runs('where', 'echo here')]);
    expect(textOf(await call(peer, 'where', { sandbox: 'danger-full-access' }))).toMatch(/--deny-method/);
    await peer.end();
  });

  it('ends its commands when the call is cancelled, and when their time is over', async () => {
    const { url, project } = await machine();
    const script = 'echo $$ > pid; exec sleep 300';
    const { peer } = await daemon(url, project, [runs('wait', script), runs('late', script, { timeout_ms: 500 })]);
    const pid = () => Number(readFileSync(join(project, 'pid'), 'utf8'));
    peer.send({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        name: 'codex',
        arguments: { prompt: 'wait', 'approval-policy': 'never', sandbox: 'danger-full-access' },
      },
    });
    await until(() => existsSync(join(project, 'pid')) && pid() > 0, 'the command runs');
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await gone([pid()]);
    expect(textOf(await call(peer, 'late', { sandbox: 'danger-full-access' }, 8))).toMatch(
      /timed out after 500 milliseconds/,
    );
    await gone([pid()]);
    await peer.end();
  });

  it('reports a command whose executor is killed, leaves nothing running, and goes on with the next one', async () => {
    const { project } = await machine();
    const [program, args] = commandLine('exec-server');
    const home = openHome();
    home.write(
      '.codex/environments.toml',
      `[[environments]]\nid = "box"\nprogram = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}\nenv = { MACHINE = "started" }\ndefault_cwd = "${project}"\n`,
    );
    home.write('.codex/config.toml', 'environment_id = "box"\n');
    const scenes = [runs('crash', 'echo $$ > pid; kill -9 $PPID; exec sleep 300'), runs('again', 'echo $MACHINE')];
    const peer = startServer({ home, script: { scenes } });
    await greet(peer, {});
    const answer = await call(peer, 'crash', { sandbox: 'danger-full-access' });
    expect(textOf(answer)).toMatch(/execution error: the connection to the exec-server was lost/);
    await gone([Number(readFileSync(join(project, 'pid'), 'utf8'))]);
    const { threadId } = answer.result.structuredContent;
    const next = await peer.request('tools/call', { name: 'codex-reply', arguments: { prompt: 'again', threadId } }, 2);
    expect(textOf(next)).toContain('started');
    await peer.end();
  });

  needs('sandbox').it('is recorded, and runs again from the tape alone, with no executor', async () => {
    const { url, project, child } = await machine();
    const scenes = [
      runs('where', 'echo $MACHINE'),
      patches('patch', '*** Update File: a.txt', '@@', ' one', '-two', '+2'),
    ];
    const home = openHome();
    home.write(
      '.codex/environments.toml',
      `[[environments]]\nid = "box"\nurl = "${url}"\ndefault_cwd = "${project}"\n`,
    );
    home.write('.codex/config.toml', 'environment_id = "box"\n');
    const tape = join(home.path, 'tape.jsonl');
    const peer = startServer({ home, args: ['--record', tape], script: { scenes } });
    await greet(peer, {});
    expect(textOf(await call(peer, 'where'))).toContain('there');
    expect(textOf(await call(peer, 'patch', {}, 2))).toContain('M a.txt');
    await peer.end();
    child.kill('SIGKILL');

    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
  });

  it('goes on there after a restart of the daemon, and with the instructions of that machine', async () => {
    const { url, project } = await machine();
    writeFileSync(join(project, 'AGENTS.md'), 'be brief over there');
    const scenes = [runs('where', 'echo $MACHINE')];
    const { peer, home } = await daemon(url, project, scenes, '');
    const first = await call(peer, 'where', { config: { environment_id: 'box' } });
    const { threadId } = first.result.structuredContent;
    await peer.end();
    const again = startServer({ home, script: { scenes, otherwise: { items: [{ text: 'plain' }] } } });
    await greet(again, {});
    const reply = await again.request(
      'tools/call',
      { name: 'codex-reply', arguments: { prompt: 'where', threadId } },
      2,
    );
    expect(textOf(reply)).toContain('there');
    await again.end();
  });
});

describe('a Codex in an environment', () => {
  const CODEX = resolve(__dirname, '../../support/servers/standInCodex.js');
  const start = async (url: string, toml: string, ...args: string[]) => {
    const home = openHome();
    const boxes = ['box', 'named'].map((id) => `[[environments]]\nid = "${id}"\nurl = "${url}"\n`);
    home.write('.codex/environments.toml', `${boxes.join('')}codex = "${CODEX}"\n`);
    home.write('.codex/config.toml', toml);
    const peer = startServer({ home, args: ['--engine', 'app-server', '--codex', CODEX, ...args] });
    await greet(peer, {});
    return peer;
  };

  it('runs as a whole on that machine, and ends with the daemon', async () => {
    const { url, project, child } = await machine();
    const peer = await start(url, '', '-c', 'environment_id=box', '-c', 'a.b=1');
    const facts = JSON.parse(textOf(await call(peer, 'hi', { cwd: project })));
    expect(parentOf(facts.pid)).toBe(child.pid);
    expect(facts).toMatchObject({ args: ['app-server', '-c', 'a.b=1'], params: { cwd: project } });
    expect(facts.params.config).toBeUndefined();
    await peer.end();
    await gone([facts.pid]);
  });

  it('runs in the environment that a call chooses, beside the one of this machine, as far as the operator allows', async () => {
    const { url, project, child } = await machine();
    const peer = await start(url, 'allowed_environments = ["named", "box", "local"]\n');
    const started = async (id: number, args: Json): Promise<[pid: number, parent: number]> => {
      const { pid } = JSON.parse(textOf(await call(peer, 'hi', args, id)));
      return [pid, parentOf(pid)];
    };
    const [here, parentHere] = await started(1, {});
    const [there, parentThere] = await started(2, { cwd: project, config: { environment_id: 'named' } });
    expect(parentThere).toBe(child.pid);
    expect(parentHere).not.toBe(child.pid);
    expect(textOf(await call(peer, 'hi', { cwd: project, config: { environment_id: 'box' } }, 3))).toMatch(
      /The environment `box` has no Codex: codex: .*name it by the key codex of the environment/,
    );
    expect(textOf(await call(peer, 'hi', { config: { environment_id: 'moon' } }, 4))).toMatch(
      /environment_id = "moon", but the operator allows `named`, `box`, `local`/,
    );
    await peer.end();
    await gone([here, there]);
  });
});
