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
    {
      when: 'show',
      answers: [
        { items: [call('sh', '-c', 'echo "key <$SERVICE_KEY>"; exit 3')] },
        { items: [{ text: '{{output}}' }] },
      ],
    },
    {
      when: 'stay',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', 'echo begun; sleep 60'], timeout_ms: 500 } }] },
        { items: [{ text: '{{output}}' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}', deltas: 3 }] },
};

const agentOf = (home: Home, ...args: string[]): string[] =>
  commandLine('acp', '--engine', 'native', '-a', 'untrusted', ...args, ...scripted(home, script)).flat();

const run = (home: Home, command: string, args: readonly string[]): { code: number | null; out: string } => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: home.work, env: home.env, encoding: 'utf8' });
  return { code: status, out: status === null ? stderr : stdout };
};

type Plan = {
  terminal?: true;
  resume?: { how: 'load' | 'resume'; id: string };
  choices?: string[];
  steps: { text: string; cancelAt?: string }[];
};

const withSdk = (home: Home, plan: Plan, ...options: string[]): Json => {
  const client = join(__dirname, 'sdkClient.mjs');
  const folder = join(installed('acpSdk'), '../..');
  const args = [client, folder, JSON.stringify({ cwd: home.work, ...plan }), ...agentOf(home, ...options)];
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

describe('the terminals of a client of the official SDK', () => {
  it('run what was allowed without a sandbox; the session is recorded, and breaks no rule', () => {
    const home = openHome();
    home.env.SERVICE_KEY = 's3cret';
    const tape = join(home.path, 'tape.jsonl');
    const plan: Plan = {
      terminal: true,
      choices: ['allow_once', 'reject_once', 'allow_once', 'allow_once'],
      steps: [
        { text: 'show it' },
        { text: 'make it' },
        { text: 'stay' },
        { text: 'wait', cancelAt: 'tool_call_update' },
      ],
    };
    const { turns, after } = withSdk(home, plan, '-s', 'danger-full-access', '--record', tape);
    expect(turns.map(({ stopReason }: Json) => stopReason)).toEqual(['end_turn', 'end_turn', 'end_turn', 'cancelled']);
    const seen = [...turns, { seen: after }].map((turn: Json) =>
      turn.seen.flatMap(({ terminal, status }: Json) => terminal ?? status ?? []),
    );
    const released = (one: string) => one === 'release'; // the SDK handles updates before requests
    expect(seen.slice(0, 3).map((all: string[]) => all.filter((one) => !released(one)))).toEqual([
      ['pending', 'in_progress', 'create', 'wait_for_exit', 'output', 'failed'],
      ['pending', 'failed'],
      ['pending', 'in_progress', 'create', 'wait_for_exit', 'kill', 'output', 'failed'],
    ]);
    expect(seen.flat().filter(released)).toHaveLength(3);
    expect(turns.map(textsOf)).toEqual([
      'key <>\n',
      'after it',
      'command timed out after 500 milliseconds\nbegun\n',
      '',
    ]);
    const shown = turns.map(({ seen }: Json) =>
      seen.flatMap(({ content }: Json) => (content?.[0]?.type === 'terminal' ? content[0].terminalId : [])),
    );
    expect(shown.slice(0, 3)).toEqual([['t0'], [], ['t1']]);
    const [program = '', ...args] = commandLine('check', tape).flat();
    expect(run(home, program, args)).toMatchObject({ code: 0 });
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
