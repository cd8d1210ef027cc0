/** Real Codex clients that run an MCP server of theirs through our exec-server, as built. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Json } from '../../support/daemon/peer';
import { endExecServers, listenExecServer, openRoad } from '../../support/exec/execSocket';
import { type Home, openHomeForCodex, removeHomes } from '../../support/home';
import { until } from '../../support/processes';
import { closeModels, type Exchange, message, startModel } from '../../support/servers/modelServer';
import { type ToolServer, writeToolServer } from '../../support/servers/toolServer';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(90_000);

const clients: ChildProcess[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.kill('SIGKILL');
  await endExecServers();
  closeModels();
  await removeHomes();
});

/** The call of `echo`, under whatever name this release gives it. */
const echoCall = ({ tools = [] }: Json): Json => {
  const offered = tools.flatMap((tool: Json) =>
    (tool.tools ?? []).map((one: Json) => ({ ...one, namespace: tool.name })).concat(tool),
  );
  const { name, namespace } = offered.find((tool: Json) => /echo$/.test(tool.name ?? ''));
  return {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name,
    ...(namespace && { namespace }),
    arguments: '{"text":"hi"}',
  };
};

const outputsOf = ({ input }: Json): string[] =>
  input.filter(({ type }: Json) => type === 'function_call_output').map(({ output }: Json) => JSON.stringify(output));

const configOf = (home: Home, model: string, toolServer: ToolServer): string => {
  const [command, script] = writeToolServer(home, toolServer);
  return `${model}
[mcp_servers.probe]
command = ${JSON.stringify(command)}
args = [${JSON.stringify(script)}]
cwd = ${JSON.stringify(home.work)}
environment_id = "box"
default_tools_approval_mode = "approve"
`;
};

/** Starts `codex exec` whose tools are in the environment at `url`; what the tool answered is in `outputs`. */
const openClient = async (release: 'codex-0.142.0' | 'codex-0.169.0', url: string, toolServer: ToolServer = {}) => {
  const home = openHomeForCodex();
  const outputs: string[] = [];
  const state = { asked: false };
  const model = await startModel(({ body, say }: Exchange) => {
    outputs.push(...outputsOf(body));
    state.asked = true;
    say(outputs.length > 0 ? message('Done.') : echoCall(body));
  });
  home.write('.codex/config.toml', configOf(home, model.toml, toolServer));
  home.write('.codex/environments.toml', `default = "box"\n[[environments]]\nid = "box"\nurl = "${url}"\n`);
  const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'call the tool'];
  const codex = join(installed(release), 'codex');
  const client = spawn(codex, args, { cwd: home.work, env: home.env, stdio: ['ignore', 'pipe', 'pipe'] });
  clients.push(client);
  const over = Promise.all([text(client.stdout), text(client.stderr), once(client, 'exit')]);
  return { home, outputs, state, over };
};

describe.each(['codex-0.142.0', 'codex-0.169.0'] as const)('a client of %s', (release) => {
  beforeAll(() => void installed(release), INSTALL_MS);

  it('calls a tool of a server that runs behind the exec-server', async () => {
    const { url } = await listenExecServer();
    const { home, outputs, over } = await openClient(release, url);
    const [, , [code]] = await over;
    expect([code, outputs]).toEqual([0, [expect.stringContaining(`ECHO:hi in ${home.work}`)]]);
  });

  it('gets a result of megabytes', async () => {
    const { url } = await listenExecServer();
    const { outputs, over } = await openClient(release, url, { answerChars: 900_000 });
    const [, , [code]] = await over;
    expect([code, outputs]).toEqual([0, [expect.stringContaining('00000000')]]);
    expect(outputs[0]).not.toContain('error');
  });

  it('comes back when its connection is cut in the midst of a call, and gets the result', async () => {
    const road = await openRoad((await listenExecServer()).url);
    const { home, outputs, state, over } = await openClient(release, road.url, { waitMs: 1500 });
    await until(() => state.asked, 'the first question to the model');
    await new Promise((wake) => setTimeout(wake, 600)); // the call is on its way
    road.cut();
    const [, , [code]] = await over;
    road.close();
    expect([code, outputs, road.visits()]).toEqual([0, [expect.stringContaining(`ECHO:hi in ${home.work}`)], 2]);
  });
});
