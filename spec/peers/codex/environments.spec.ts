/** Threads on other machines with real Codex binaries: as the engine that runs there, and as the exec-server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { greet } from '../../support/daemon/legacy';
import { endServers, type Json, startServer } from '../../support/daemon/peer';
import { endExecServers, listenExecServerWith } from '../../support/exec/execSocket';
import { openHomeForCodex, removeHomes } from '../../support/home';
import { endExecutors, startExecutorIn } from '../../support/nats/natsExecutor';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { closeModels, type Exchange, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed } from '../installed';

const RELEASES = ['codex-0.142.0', 'codex-0.169.0'] as const;

jest.setTimeout(90_000);

afterEach(async () => {
  await endServers();
  await endExecutors();
  await endNatsServers();
  endExecServers();
  closeModels();
  removeHomes();
});

const textOf = (answer: Json): string => answer.result.content[0].text;

/** A call of whatever this release offers for commands. */
const commandCall = ({ tools, input }: Json, cmd: string): Json => {
  const names = [...(tools ?? []), ...input.flatMap(({ tools: later = [] }: Json) => later)].map(
    ({ name }: Json) => name,
  );
  const [name, args] = names.includes('exec_command') ? ['exec_command', { cmd }] : ['shell_command', { command: cmd }];
  return { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: JSON.stringify(args) };
};

const outputsIn = ({ input }: Json): string =>
  JSON.stringify(input.filter(({ type }: Json) => type === 'function_call_output').map(({ output }: Json) => output));

describe.each(RELEASES)('an installed %s', (release) => {
  it(
    'runs as the engine on another machine: its commands are there',
    async () => {
      const codex = join(installed(release), 'codex');
      const there = openHomeForCodex();
      const { toml } = await startModel(({ body, say }: Exchange) => {
        if (outputsIn(body) !== '[]') return say(message(outputsIn(body)));
        say(commandCall(body, 'echo machine $MACHINE in $PWD'));
      });
      there.write('.codex/config.toml', toml);
      const project = join(there.path, 'project');
      mkdirSync(project);
      const { url } = await listenExecServerWith({
        ...there.env,
        MACHINE: 'there',
        HOME: there.path,
        CODEX_HOME: join(there.path, '.codex'),
      });
      const home = openHomeForCodex();
      home.write(
        '.codex/environments.toml',
        `[[environments]]\nid = "box"\nurl = "${url}"\ndefault_cwd = "${project}"\n`,
      );
      home.write('.codex/config.toml', 'environment_id = "box"\n');
      const peer = startServer({ home, args: ['--engine', 'app-server', '--codex', codex] });
      await greet(peer, {});
      const args = { prompt: 'go', sandbox: 'danger-full-access', 'approval-policy': 'never' };
      const answer = await peer.request('tools/call', { name: 'codex', arguments: args }, 1);
      expect(textOf(answer)).toContain(`machine there in ${project}`);
      await peer.end();
    },
    INSTALL_MS,
  );

  needs('nats-server').it(
    'runs each thread in the environment of its call, in a pool on one member, also after a restart of the daemon',
    async () => {
      const codex = join(installed(release), 'codex');
      const { toml } = await startModel(({ body, say }: Exchange) => {
        const last = body.input.at(-1);
        if (last.type === 'function_call_output') return say(message(JSON.stringify(last.output)));
        say(commandCall(body, 'echo machine $MACHINE of $PPID'));
      });
      const { address } = await startNats();
      const home = openHomeForCodex();
      for (const name of ['build-1', 'build-2']) {
        const there = openHomeForCodex();
        there.write('.codex/config.toml', toml);
        const env = { ...there.env, MACHINE: name, HOME: there.path, CODEX_HOME: join(there.path, '.codex') };
        await startExecutorIn(env, address, name, '--pool', 'linux');
      }
      const linux = `[[environments]]\nid = "linux"\nurl = "${address}"\npool = "linux"\ncodex = "${codex}"\ndefault_cwd = "/"\n`;
      home.write('.codex/config.toml', `${toml}\n${linux}`);
      const daemon = async () => {
        const peer = startServer({
          home,
          env: { MACHINE: 'here' },
          args: ['--engine', 'app-server', '--codex', codex],
        });
        await greet(peer, {});
        return peer;
      };
      const first = await daemon();
      const args = { sandbox: 'danger-full-access', 'approval-policy': 'never' };
      const start = (id: number, config: Json) =>
        first.request('tools/call', { name: 'codex', arguments: { prompt: 'go', ...args, config } }, id);
      expect(textOf(await start(1, {}))).toContain('machine here');
      const [one, two] = [await start(2, { environment_id: 'linux' }), await start(3, { environment_id: 'linux' })];
      const machineOf = (answer: Json) => /machine (build-\d)/.exec(textOf(answer))?.[1];
      expect([machineOf(one), machineOf(two)].sort()).toEqual(['build-1', 'build-2']);
      await first.end();
      const second = await daemon();
      for (const [i, began] of [one, two].entries()) {
        const { threadId } = began.result.structuredContent;
        const again = { name: 'codex-reply', arguments: { prompt: 'again', threadId } };
        expect(machineOf(await second.request('tools/call', again, 4 + i))).toBe(machineOf(began));
      }
      await second.end();
    },
    INSTALL_MS,
  );

  it(
    'serves threads of the native engine as their exec-server, patches file by file',
    async () => {
      const codex = join(installed(release), 'codex');
      const there = openHomeForCodex();
      const project = join(there.path, 'project');
      mkdirSync(project);
      writeFileSync(join(project, 'AGENTS.md'), 'be brief');
      const home = openHomeForCodex();
      const env = Object.entries({ ...there.env, MACHINE: 'there' }).map(
        ([name, value]) => `${name} = ${JSON.stringify(value)}`,
      );
      home.write(
        '.codex/environments.toml',
        `[[environments]]\nid = "box"\nprogram = "${codex}"\nargs = ["exec-server", "--listen", "stdio"]\nenv = { ${env.join(', ')} }\ndefault_cwd = "${project}"\n`,
      );
      home.write('.codex/config.toml', 'environment_id = "box"\n');
      const outside = `/var/tmp/codex-rx-${process.pid}`; // what is in /tmp may be written
      const scene = (when: string, call: Json) => ({
        when,
        answers: [{ items: [{ id: 'c1', ...call }] }, { items: [{ text: '{{output}}' }] }],
      });
      const scenes = [
        scene('run', { call: 'shell', args: { command: ['sh', '-c', 'echo $MACHINE in $PWD'] } }),
        scene('outside', { call: 'shell', args: { command: ['touch', outside] } }),
        scene('patch', { call: 'apply_patch', args: { input: '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch' } }),
      ];
      const confined = [
        '*** Begin Patch',
        '*** Add File: d/b',
        '+b',
        '*** Update File: a',
        '@@',
        '-a',
        '+2',
        '*** End Patch',
      ];
      const denied = [
        '*** Begin Patch',
        '*** Update File: a',
        '@@',
        '-2',
        '+3',
        `*** Add File: ${outside}`,
        '+no',
        '*** End Patch',
      ];
      scenes.push(
        scene('confined', { call: 'apply_patch', args: { input: confined.join('\n') } }),
        scene('denied', { call: 'apply_patch', args: { input: denied.join('\n') } }),
      );
      const peer = startServer({ home, script: { scenes } });
      await greet(peer, {});
      const call = (prompt: string, id: number, sandbox = 'danger-full-access') =>
        peer.request('tools/call', { name: 'codex', arguments: { prompt, sandbox, 'approval-policy': 'never' } }, id);
      expect(textOf(await call('run', 1))).toContain(`there in ${project}`);
      expect(textOf(await call('patch', 2))).toContain('Success. Updated the following files:');
      expect(readFileSync(join(project, 'a'), 'utf8')).toBe('a\n');
      expect(textOf(await call('outside', 3, 'workspace-write'))).toMatch(
        /Read-only file system|Permission denied|its sandbox does not start a command/,
      );
      expect(textOf(await call('confined', 4, 'workspace-write'))).toMatch(/A d\/b.*M a/s);
      expect(readFileSync(join(project, 'd/b'), 'utf8') + readFileSync(join(project, 'a'), 'utf8')).toBe('b\n2\n');
      expect(textOf(await call('denied', 5, 'workspace-write'))).toMatch(
        /No file was changed|was not approved|rejected/,
      );
      expect(readFileSync(join(project, 'a'), 'utf8')).toBe('2\n');
      expect(existsSync(outside)).toBe(false);
      expect(readFileSync(join(project, 'AGENTS.md'), 'utf8')).toBe('be brief');
      await peer.end();
    },
    INSTALL_MS,
  );
});
