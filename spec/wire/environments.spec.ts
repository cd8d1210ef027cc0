/** The real daemon whose threads work on a real exec-server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endExecServers, listenExecServerWith } from '../support/execSocket';
import { type Home, openHome, removeHomes } from '../support/home';
import { greet } from '../support/legacy';
import { endServers, type Json, type Peer, startServer } from '../support/peer';
import { gone, until } from '../support/processes';

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
  const server = await listenExecServerWith({ MACHINE: 'there', HOME: there.path }, ...args.map((arg) => arg.replace('PROJECT', project)));
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
  peer.request('tools/call', { name: 'codex', arguments: { prompt, 'approval-policy': 'never', sandbox: 'workspace-write', ...args } }, id);
const textOf = (answer: Json): string => answer.result.content[0].text;

describe('a thread in an environment behind a WebSocket', () => {
  it('runs its commands there, in the folder there, with the variables of that machine', async () => {
    const { url, project } = await machine();
    const { peer } = await daemon(url, project, [runs('where', 'echo $MACHINE:$PWD')]);
    expect(textOf(await call(peer, 'where'))).toContain(`there:${project}`);
    await peer.end();
  });

  it('applies patches there, in both forms, all or nothing', async () => {
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
});
