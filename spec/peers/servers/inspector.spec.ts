/** The MCP Inspector, as anybody runs it from a terminal. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Json, scripted } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

let bin: string;
beforeAll(() => {
  bin = installed('inspector');
}, INSTALL_MS);
afterEach(removeHomes);

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', 'echo done > made.txt'] } }] },
        { items: [{ text: 'written' }] },
      ],
    },
    {
      when: 'wait',
      answers: [{ items: [{ call: 'shell', args: { command: ['sleep', '2'] } }] }, { items: [{ text: 'waited' }] }],
    },
  ],
};

/** Runs the Inspector's command line against a fresh server. */
const inspect = (...options: string[]) => inspectWith([], ...options);

const inspectWith = (
  given: string[],
  ...options: string[]
): Promise<{ code: unknown; stdout: string; stderr: string; work: string }> => {
  const home = openHome();
  const [program, args] = commandLine('mcp-server', ...given, ...scripted(home, script));
  const starter = home.write(
    'serve.sh',
    `#!/bin/sh\nexec ${[program, ...args].map((word) => `'${word}'`).join(' ')}\n`,
  );
  const command = [
    join(bin, 'inspector'),
    '--cli',
    '/bin/sh',
    starter,
    ...options.map((word) => word.replace('~', home.work)),
  ];
  return new Promise((done) => {
    const env = { ...home.env, NO_COLOR: '1' };
    execFile(join(bin, 'node'), command, { env, cwd: home.work, timeout: 50_000 }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, stdout, stderr, work: home.work }),
    );
  });
};

const namesIn = (stdout: string): string[] => JSON.parse(stdout).tools.map(({ name }: Json) => name);

describe('the MCP Inspector', () => {
  it('lists the tools', async () => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(namesIn(stdout)).toEqual(['codex', 'codex-reply']);
  });

  it('finds schemas that every host can use', async () => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(namesIn(stdout)).toEqual(['codex', 'codex-reply']);
  });

  it('lists the tools in the modern era', async () => {
    const { code, stdout } = await inspect('--method', 'tools/list', '--protocol-era', 'modern');
    expect(code).toBe(0);
    expect(namesIn(stdout)).toEqual(['codex', 'codex-reply']);
  });

  it.each(['legacy', 'modern'])('calls codex in the %s era', async (era) => {
    const { code, stdout, stderr, work } = await inspect(
      ...['--protocol-era', era, '--method', 'tools/call', '--tool-name', 'codex'],
      ...['--tool-arg', 'prompt=write', 'cwd=~', 'sandbox=danger-full-access', 'approval-policy=never'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      content: [{ type: 'text', text: 'written' }],
      structuredContent: { content: 'written' },
    });
    expect(existsSync(join(work, 'made.txt'))).toBe(true);
  });

  it('waits for a task, and gets its result', async () => {
    const { code, stdout, work } = await inspectWith(
      ['--task-after', '0'],
      ...['--protocol-era', 'modern', '--method', 'tools/call', '--tool-name', 'codex'],
      ...['--tool-arg', 'prompt=wait', 'cwd=~', 'sandbox=danger-full-access', 'approval-policy=never'],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'waited' }] });
    expect(readdirSync(join(work, '../.codex/codex-rx/tasks'))).toEqual([expect.stringMatching(/\.json$/)]);
  });
});
