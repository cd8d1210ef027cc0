/** Clients of ACP by others, against the agent: the official SDK, and acpx in a terminal. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Json, scripted } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(90_000);
beforeAll(() => void [installed('acpSdk'), installed('acpx')], INSTALL_MS);
afterEach(removeHomes);

const call = (...command: string[]) => ({ call: 'shell', args: { command } });
const script = {
  scenes: [
    { when: 'make', answers: [{ items: [call('touch', 'made.txt')] }, { items: [{ text: 'after it' }] }] },
    { when: 'wait', answers: [{ items: [call('sleep', '60')] }] },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}', deltas: 3 }] },
};

const agentOf = (home: Home): string[] =>
  commandLine('acp', '--engine', 'native', '-a', 'untrusted', ...scripted(home, script)).flat();

const run = (home: Home, command: string, args: readonly string[]): { code: number | null; out: string } => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: home.work, env: home.env, encoding: 'utf8' });
  return { code: status, out: status === null ? stderr : stdout };
};

type Plan = {
  resume?: { how: 'load' | 'resume'; id: string };
  choices?: string[];
  steps: { text: string; cancelAt?: string }[];
};

const withSdk = (home: Home, plan: Plan): Json => {
  const client = join(__dirname, 'sdkClient.mjs');
  const folder = join(installed('acpSdk'), '../..');
  const args = [client, folder, JSON.stringify({ cwd: home.work, ...plan }), ...agentOf(home)];
  return JSON.parse(run(home, process.execPath, args).out);
};

const textsOf = ({ seen }: Json): string =>
  seen
    .flatMap(({ sessionUpdate, content }: Json) => (sessionUpdate === 'agent_message_chunk' ? [content.text] : []))
    .join('');

describe('a client of the official SDK', () => {
  it('allows, rejects and cancels, and goes on after a restart', () => {
    const home = openHome();
    const { protocolVersion, sessionId, turns } = withSdk(home, {
      choices: ['reject_once', 'allow_once', 'allow_once'],
      steps: [{ text: 'hi' }, { text: 'make it' }, { text: 'make it' }, { text: 'wait', cancelAt: 'in_progress' }],
    });
    expect(protocolVersion).toBe(1);
    expect(turns.map(({ stopReason }: Json) => stopReason)).toEqual(['end_turn', 'end_turn', 'end_turn', 'cancelled']);
    expect(turns.map(textsOf)).toEqual(['You said: hi', 'after it', 'after it', '']);
    expect(turns.map(({ seen }: Json) => seen.flatMap(({ asked, status }: Json) => asked ?? status ?? []))).toEqual([
      [],
      ['pending', 'touch made.txt', 'failed'],
      ['pending', 'touch made.txt', 'in_progress', 'completed'],
      ['pending', 'sleep 60', 'in_progress', 'failed'],
    ]);

    const loaded = withSdk(home, { resume: { how: 'load', id: sessionId }, steps: [{ text: 'again' }] });
    expect(loaded.past.flatMap(({ status }: Json) => status ?? [])).toEqual([
      'in_progress',
      'failed',
      'in_progress',
      'completed',
      'in_progress',
      'failed',
    ]);
    expect(loaded.turns.map(textsOf)).toEqual(['You said: again']);
    const resumed = withSdk(home, { resume: { how: 'resume', id: sessionId }, steps: [{ text: 'once more' }] });
    expect(resumed).toMatchObject({ sessionId, titles: ['hi'] });
    expect(resumed.past.filter(({ sessionUpdate }: Json) => sessionUpdate.endsWith('_chunk'))).toEqual([]);
  });
});

describe('acpx', () => {
  const acpx = (home: Home, ...args: string[]) => {
    const bin = installed('acpx');
    const agent = agentOf(home)
      .map((word) => `"${word}"`)
      .join(' ');
    return run(home, join(bin, 'node'), [join(bin, 'acpx'), '--agent', agent, '--ttl', '1', ...args]);
  };

  it('allows and rejects', () => {
    const home = openHome();
    const rejected = acpx(home, '--deny-all', 'exec', 'make it');
    expect(rejected.out).toContain('[tool] touch made.txt (failed)');
    expect(existsSync(join(home.work, 'made.txt'))).toBe(false);
    const allowed = acpx(home, '--approve-all', 'exec', 'make it');
    expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('[tool] touch made.txt (completed)') });
    expect(existsSync(join(home.work, 'made.txt'))).toBe(true);
  });

  it('goes on with a session in another process', () => {
    const home = openHome();
    expect(acpx(home, 'sessions', 'new').code).toBe(0);
    const { code, out } = acpx(home, 'prompt', 'hi');
    expect(out).toMatch(/session\/resume[\s\S]*You said: hi/);
    expect(code).toBe(0);
    const listed = acpx(home, 'sessions', 'list').out;
    expect(listed).toContain('\thi\t');
    expect(acpx(home, 'sessions', 'close').code).toBe(0);
  });
});
