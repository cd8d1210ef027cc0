/** The real daemon whose threads work on executors behind a real server of NATS. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { greet } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';
import { endExecutors, killExecutor, startExecutor } from '../../support/nats/natsExecutor';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { gone, until } from '../../support/processes';

const { describe } = needs('nats-server');

let address = '';
beforeAll(async () => {
  address = (await startNats()).address;
});
afterAll(endNatsServers);
afterEach(endServers);
afterEach(endExecutors);
afterEach(removeHomes);

const runs = (when: string, script: string) => ({
  when,
  answers: [
    { items: [{ call: 'shell', args: { command: ['bash', '-c', script], timeout_ms: 60_000 }, id: 'c1' }] },
    { items: [{ text: 'It was: {{output}}' }] },
  ],
});
const patches = (when: string, ...lines: string[]) => ({
  when,
  answers: [
    {
      items: [
        { call: 'apply_patch', args: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') }, id: 'c1' },
      ],
    },
    { items: [{ text: 'It was: {{output}}' }] },
  ],
});
const scenes = [
  runs('where', 'echo $PPID:$PWD'),
  runs('wait', 'echo $$ > pid; exec sleep 300'),
  patches('patch', '*** Update File: a.txt', '@@', '-one', '+1'),
  patches('outside', '*** Add File: /var/patched', '+no'),
  runs('approved', 'echo no > /var/written'),
];

const daemon = async (environments: string, toml = '') => {
  const home = openHome();
  const project = join(home.path, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'one\n');
  home.write('.codex/environments.toml', environments.replaceAll('PROJECT', project));
  home.write('.codex/config.toml', toml);
  const peer = startServer({ home, script: { scenes } });
  await greet(peer, {});
  return { peer, project };
};
const environment = (id: string, target: string) =>
  `[[environments]]\nid = "${id}"\nurl = "${address}"\n${target}\ndefault_cwd = "PROJECT"\n`;
const start = (peer: Peer, prompt: string, config: Json, args: Json = {}) =>
  peer.request(
    'tools/call',
    {
      name: 'codex',
      arguments: { prompt, config, 'approval-policy': 'never', sandbox: 'danger-full-access', ...args },
    },
    1,
  );
const reply = (peer: Peer, prompt: string, threadId: string, id: number, args: Json = {}) =>
  peer.request('tools/call', { name: 'codex-reply', arguments: { prompt, threadId, ...args } }, id);
const textOf = (answer: Json): string => answer.result.content[0].text;

describe('a thread in an environment behind NATS', () => {
  it('stays on its member of a pool, is refused when that is gone, and goes on where it is sent', async () => {
    const first = await startExecutor(address, 'build-1', '--pool', 'linux');
    const { peer, project } = await daemon(
      environment('linux', 'pool = "linux"') + environment('two', 'executor = "build-2"'),
    );
    const begun = await start(peer, 'where', { environment_id: 'linux' });
    const { threadId } = begun.result.structuredContent;
    expect(textOf(begun)).toContain(`${first.pid}:${project}`);
    const second = await startExecutor(address, 'build-2', '--pool', 'linux');
    expect(textOf(await reply(peer, 'where', threadId, 2))).toContain(`${first.pid}:`);
    const waiting = reply(peer, 'wait', threadId, 3);
    const pidOf = () => (existsSync(join(project, 'pid')) ? Number(readFileSync(join(project, 'pid'), 'utf8')) : 0);
    await until(() => pidOf() > 0, 'the command runs');
    await killExecutor(first);
    expect(textOf(await waiting)).toMatch(/execution error: .*build-1/);
    await gone([pidOf()]);
    const refused = await reply(peer, 'where', threadId, 4);
    expect(refused.result.isError).toBe(true);
    expect(textOf(refused)).toMatch(
      /The environment `linux` cannot be used: .* its executor build-1: start that executor again, .* another environment/s,
    );
    const moved = await reply(peer, 'where', threadId, 5, { config: { environment_id: 'two' } });
    expect(textOf(moved)).toContain(`${second.pid}:${project}`);
    await peer.end();
  }, 60_000);

  needs('sandbox').it(
    'patches files there, and none outside of the roots of the executor',
    async () => {
      const home = openHome();
      await startExecutor(address, 'build-3', '--root', home.path);
      writeFileSync(join(home.path, 'a.txt'), 'one\n');
      const toml = 'environment_id = "three"\n';
      const { peer } = await daemon(
        environment('three', 'executor = "build-3"').replaceAll('PROJECT', home.path),
        toml,
      );
      expect(textOf(await start(peer, 'patch', {}, { sandbox: 'workspace-write' }))).toContain('M a.txt');
      expect(readFileSync(join(home.path, 'a.txt'), 'utf8')).toBe('1\n');
      const outside = await start(peer, 'outside', {});
      expect(textOf(outside)).toMatch(
        /Failed to write file \/var\/patched: Read-only file system \(os error 30\). No file was changed/,
      );
      expect(existsSync('/var/patched')).toBe(false);
      expect(textOf(await start(peer, 'approved', {}))).toMatch(/a limit that no approval lifts: .* \(--root\)/);
      await peer.end();
    },
    30_000,
  );
});
