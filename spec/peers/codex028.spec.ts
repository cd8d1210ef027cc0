/** The real `codex mcp` of release 0.28.0 and this server with its face, side by side over one model and one client. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome, removeHomes } from '../support/home';
import { greet } from '../support/legacy';
import { closeModels, type Exchange, message, shellCall, startModel } from '../support/modelServer';
import { attach, commandLine, type Json, type Peer } from '../support/peer';
import { INSTALL_MS, installed } from './installed';
import { masked } from './masked';

let real: string;
beforeAll(() => {
  real = join(installed('codex-0.28.0'), 'codex');
}, INSTALL_MS);
afterEach(closeModels);
afterEach(removeHomes);

type Program = { name: string; command: () => [string, string[]] };

const PROGRAMS: Program[] = [
  { name: 'codex 0.28.0', command: () => [real, ['mcp']] },
  { name: 'codex-rx', command: () => commandLine('mcp-server', '--face', '0.28') },
];

type Scenario = {
  model: (exchange: Exchange) => void;
  client: (peer: Peer) => Promise<unknown>;
};

/** Plays a scenario with one program; tells every message it sent. */
const played = async ({ command }: Program, { model, client }: Scenario): Promise<Json[]> => {
  const home = openHome();
  home.write('.codex/config.toml', (await startModel(model)).toml);
  const [program, args] = command();
  const peer = attach(spawn(program, args, { cwd: home.work, env: home.env, stdio: 'pipe' }), home);
  try {
    await client(peer);
    return masked(peer.messages, home);
  } finally {
    await peer.end();
    peer.child.kill('SIGKILL');
  }
};

const call = (home: Peer['home'], prompt: string, args: Json = {}) => ({
  name: 'codex',
  arguments: { prompt, cwd: home.work, sandbox: 'danger-full-access', 'approval-policy': 'never', ...args },
});

const bothPlay = async (scenario: Scenario) => {
  const [theirs, ours] = [
    await played(PROGRAMS[0] as Program, scenario),
    await played(PROGRAMS[1] as Program, scenario),
  ];
  return { theirs, ours };
};

describe('codex 0.28.0', () => {
  it('opens as this server does', async () => {
    const { theirs, ours } = await bothPlay({
      model: ({ say }) => say(),
      client: (peer) => greet(peer, { elicitation: {} }, '2025-06-18'),
    });
    console.log(JSON.stringify(theirs, null, 1), JSON.stringify(ours, null, 1));
    expect(ours).toEqual(theirs);
  });

  it('tells a plain answer as this server does', async () => {
    const { theirs, ours } = await bothPlay({
      model: ({ say }) => say(message('Hello there.')),
      client: async (peer) => {
        await greet(peer, { elicitation: {} });
        await peer.request('tools/call', call(peer.home, 'hi'), 1);
      },
    });
    expect(ours).toEqual(theirs);
  });

  it('asks for a command, runs it and tells of it as this server does', async () => {
    const { theirs, ours } = await bothPlay({
      model: ({ n, say }) =>
        n === 0 ? say(shellCall('c1', ['sh', '-c', 'printf made > made.txt; echo it is'])) : say(message('Made.')),
      client: async (peer) => {
        await greet(peer, { elicitation: {} });
        const answer = peer.request('tools/call', call(peer.home, 'make', { 'approval-policy': 'untrusted' }), 1);
        const question = await peer.nextOf('elicitation/create');
        await new Promise((wake) => setTimeout(wake, 200)); // 0.28.0 may lose an answer that comes at once
        peer.send({ id: question.id, result: { decision: 'approved' } });
        await answer;
        expect(readFileSync(join(peer.home.work, 'made.txt'), 'utf8')).toBe('made');
      },
    });
    expect(ours).toEqual(theirs);
  });
});
