/** Real Codex clients without a person, and what their models read of a call that needs an approval. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Json, scripted } from '../../support/daemon/peer';
import { openHome, openHomeForCodex, removeHomes } from '../../support/home';
import { closeModels, type Exchange, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed, type PeerName } from '../installed';

jest.setTimeout(90_000);
afterEach(closeModels);
afterEach(removeHomes);

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', 'echo done > made.txt'] } }] },
        { items: [{ text: 'finished' }] },
      ],
    },
  ],
};

/** The tool `codex`, under whatever name this release gives it. */
const toolOf = ({ tools = [] }: Json): Json =>
  tools
    .flatMap((tool: Json) => (tool.tools ?? []).map((one: Json) => ({ ...one, namespace: tool.name })).concat(tool))
    .find(({ name }: Json) => /codex$/.test(name ?? ''));

const callOf = (tool: Json): Json => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: tool.name,
  ...(tool.namespace && { namespace: tool.namespace }),
  arguments: JSON.stringify({ prompt: 'write', 'approval-policy': 'untrusted' }),
});

const outputsOf = ({ input }: Json): Json[] => input.filter(({ type }: Json) => type === 'function_call_output');

/** Runs `codex exec` of a release, whose model calls our tool once; gives what its model reads of the call. */
const outputFor = async (release: PeerName): Promise<{ output: string; isMade: boolean }> => {
  const [home, ours] = [openHomeForCodex(), openHome()];
  const model = await startModel(({ body, say }: Exchange) => {
    const isOver = outputsOf(body).length > 0;
    const tool = toolOf(body);
    say(isOver || tool === undefined ? message('done') : callOf(tool));
  });
  const [command, args] = commandLine('mcp-server', '--engine', 'native', ...scripted(ours, script));
  home.write(
    '.codex/config.toml',
    `${model.toml}
[mcp_servers.codex]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
env = { HOME = ${JSON.stringify(ours.path)} }
default_tools_approval_mode = "approve"
`,
  );
  const codex = join(installed(release), 'codex');
  const client = spawn(codex, ['exec', '--skip-git-repo-check', 'please'], {
    cwd: home.work,
    env: home.env,
    stdio: 'ignore',
  });
  await once(client, 'exit');
  const [item] = outputsOf(model.requests.at(-1) ?? { input: [] });
  return { output: JSON.stringify(item?.output), isMade: existsSync(join(home.work, 'made.txt')) };
};

describe.each<[PeerName, string]>([
  ['codex-0.28.0', 'the client cannot be asked (Codex 0.28.0 as a client does not answer questions)'],
  ['codex-0.142.0', 'the client declined it'],
  ['codex-0.169.0', 'the client declined it'],
])('%s exec', (release, reason) => {
  it(
    'reads what was not done and why, and the thread id',
    async () => {
      const { output, isMade } = await outputFor(release);
      expect(output).toContain(`Not done: \`sh -c 'echo done > made.txt'\`: ${reason}`);
      expect(output).toMatch(/threadId[\\":]+[0-9a-f]{8}-/);
      expect(isMade).toBe(false);
    },
    INSTALL_MS,
  );
});
