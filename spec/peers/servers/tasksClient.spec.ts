/** The official v2 client with the official package for tasks, against the server. The client alone refuses results that are tasks. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Json, scripted } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(90_000);
beforeAll(() => void installed('extTasks'), INSTALL_MS);
afterEach(removeHomes);

const shell = (...command: string[]) => ({ call: 'shell', args: { command } });
const runs = (when: string, ...items: object[]) => ({ when, answers: [{ items }, { items: [{ text: 'done' }] }] });

const script = {
  scenes: [
    runs('^two$', shell('touch', 'one.txt'), shell('touch', 'two.txt')),
    runs('^slow$', shell('sleep', '2')),
    runs('^long$', shell('sleep', '60')),
    { when: '^fail$', answers: [{ items: [{ delayMs: 500 }], fault: { error: 'no' } }] },
    {
      when: '^break$',
      answers: [{ items: [{ delayMs: 500 }], fault: { rpcError: { code: -32050, message: 'broken' } } }],
    },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}' }] },
};

type Step = { prompt: string; policy?: string; do?: 'settle' | 'cancel' | 'leave' } | { resume: Json };

const play = (home: Home, args: string[], ...plan: Step[]): Json => {
  const client = join(__dirname, 'tasksClient.mjs');
  const folder = join(installed('extTasks'), '../..');
  const server = commandLine('mcp-server', '--engine', 'native', ...args, ...scripted(home, script)).flat();
  const { stdout, stderr } = spawnSync(process.execPath, [client, folder, JSON.stringify(plan), ...server], {
    cwd: home.work,
    env: home.env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};

describe('the official client with tasks', () => {
  it('settles tasks: answered, failed, broken and cancelled', () => {
    const home = openHome();
    const { results, asked } = play(
      home,
      ['--task-after', '0'],
      { prompt: 'two', policy: 'untrusted' },
      { prompt: 'fail' },
      { prompt: 'break' },
      { prompt: 'long', do: 'cancel' },
    );
    expect(results).toEqual([
      { kind: 'task', status: 'completed', states: expect.anything(), text: 'done', isError: false },
      {
        kind: 'task',
        status: 'completed',
        states: expect.anything(),
        text: expect.stringMatching(/no/),
        isError: true,
      },
      { kind: 'task', status: 'failed', states: expect.anything(), error: { code: -32050, message: 'broken' } },
      { kind: 'task', status: 'cancelled', states: expect.anything() },
    ]);
    expect(asked.map((text: string) => /touch \w+/.exec(text)?.[0]).toSorted()).toEqual(['touch one', 'touch two']);
    expect(['one.txt', 'two.txt'].map((name) => existsSync(join(home.work, name)))).toEqual([true, true]);
  });

  it('gets an early end as the result of the call', () => {
    const { results } = play(openHome(), ['--task-after', '30'], { prompt: 'hi' });
    expect(results).toEqual([
      { kind: 'immediate', status: 'completed', states: [], text: 'You said: hi', isError: false },
    ]);
  });

  it('hands a task over to a client and a server that begin later', () => {
    const home = openHome();
    const args = ['--task-after', '0', '--tasks-outlive', '60'];
    const { results } = play(home, args, { prompt: 'slow', do: 'leave' });
    expect(play(home, args, { resume: results[0].reference }).results).toEqual([
      { kind: 'task', status: 'completed', states: expect.anything(), text: 'done', isError: false },
    ]);
  });
});
