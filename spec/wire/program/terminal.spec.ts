/** Commands that ask a person, in a real terminal. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { IPty } from '@lydell/node-pty';
import { commandLine, scripted } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { needs } from '../../support/needs/needs';

const { describe, it } = needs('terminal');

afterEach(removeHomes);

/** Types each answer once its question is shown, and returns what was shown and how the command ended. */
const typed = (
  home: Home,
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
) => {
  const { spawn } = require('@lydell/node-pty') as { spawn: (program: string, args: string[], o: object) => IPty };
  const [program, rest] = commandLine(...args);
  const terminal = spawn(program, rest, { cwd: home.work, env: { ...home.env, TERM: 'xterm' }, cols: 200 });
  const left = [...answers];
  let shown = '';
  let from = 0;
  terminal.onData((text) => {
    shown += text;
    const [question, answer] = left[0] ?? [];
    if (question === undefined || answer === undefined || !shown.slice(from).includes(question)) return;
    from = shown.length;
    left.shift();
    terminal.write(answer);
  });
  return new Promise<{ shown: string; code: number; signal?: number }>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => resolve({ shown, code: exitCode, signal }));
  });
};

describe('in a terminal', () => {
  it('run asks before a command, again after what is no choice, and runs it', async () => {
    const home = openHome();
    const call = { call: 'shell', args: { command: ['touch', 'made'] } };
    const answers = [{ items: [call] }, { items: [{ text: 'done' }] }];
    const flags = [...scripted(home, { scenes: [{ when: '.', answers }] }), '--engine', 'native', '-a', 'untrusted'];
    const { shown, code } = await typed(
      home,
      ['run', ...flags, '-s', 'workspace-write', 'go'],
      [
        ['Enter declines): ', '9\r'],
        ['Enter declines): ', '1\r'],
      ],
    );
    expect(shown).toContain('Allow Codex to run `touch made`');
    expect([code, shown.includes('done\r\n'), readFileSync(join(home.work, 'made'), 'utf8')]).toEqual([0, true, '']);
  });

  it('login asks for a key, and shows nothing of it', async () => {
    const home = openHome();
    const { shown, code } = await typed(home, ['login', '--api-key'], [['not shown): ', 'sk-of-mine\r']]);
    expect([code, shown.includes('sk-of'), shown.includes('The key is kept')]).toEqual([0, false, true]);
  });

  it('login ends by Ctrl-C as other programs do, without a word', async () => {
    const { shown, signal } = await typed(openHome(), ['login', '--api-key'], [['not shown): ', '\x03']]);
    expect([signal, shown]).toEqual([constants.signals.SIGINT, 'API key (it is not shown): \r\n']);
  });
});
