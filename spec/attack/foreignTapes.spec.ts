/** Tapes of somebody else: nothing that they name is read, sent or started before a person has seen it and agreed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../support/home';

afterEach(removeHomes);

describe('a tape of somebody else', () => {
  it('sends no file that its command line names to the model, and shows the name', () => {
    const home = openHome();
    mkdirSync(join(home.path, '.ssh'));
    const key = join(home.path, '.ssh', 'id_rsa');
    writeFileSync(key, 'PRIVATE');
    const tape = daemonTape(home, ['-c', `experimental_instructions_file=${key}`]);
    expect(run(home, 'rerun', tape, '--live', 'model')).toEqual(
      refused(`starts with -c 'experimental_instructions_file=${key}'`),
    );
  });

  it('lists what its calls name: folders, roots, settings, images and commands', () => {
    const home = openHome();
    const tape = daemonTape(home, []);
    expect(run(home, 'rerun', tape, '--live', 'model')).toEqual(
      refused(
        'sends tools/call arguments cwd: "/"',
        'sends tools/call arguments config writable_roots: ["/etc"]',
        'sends sendUserTurn items path: "/root/photo.png"',
        'sends execOneOffCommand command: ["rm","-r","/"]',
      ),
    );
  });

  it('runs no command of its model, with no mode and no answer that it brings along', () => {
    const home = openHome();
    const mark = join(home.work, 'made');
    const tape = daemonTape(home, ['-c', 'sandbox_mode=danger-full-access', '-a', 'never'], ['touch', mark]);
    expect(run(home, 'rerun', tape, '--live', 'executor')).toEqual(
      refused(
        "starts with -c 'sandbox_mode=danger-full-access'",
        `runs shell {"command":["touch","${mark}"]}`,
        'answers a question by {"decision":"approved"}',
      ),
    );
    expect(existsSync(mark)).toBe(false);
  });

  it('becomes no spec that starts its command, and shows the command with all that is hidden in it', () => {
    const home = openHome();
    const tape = tapeOf(home, ['sh', '-c', 'touch made\u202e'], []);
    const [out, other] = ['x.test.mjs', 'y.test.mjs'].map((name) => join(home.work, name)) as [string, string];
    expect(run(home, 'marbles', tape, '-o', out)).toEqual(refused("  sh -c 'touch made\\u202e'"));
    expect(run(home, 'marbles', tape)).toEqual(refused("  sh -c 'touch made\\u202e'"));
    expect(existsSync(out)).toBe(false);
    expect(run(home, 'marbles', tape, '-o', other, '--', 'cat')).toEqual({
      code: 0,
      text: expect.stringMatching(/^(?!.*touch).*starts cat$/ms),
    });
  });
});

describe('the page of a tape', () => {
  it('is opened by no program of the folder that the tape is in', () => {
    const home = openHome();
    const tape = tapeOf(home, ['sh'], []);
    chmodSync(home.write('xdg-open', '#!/bin/sh\ntouch ran\n'), 0o700);
    const env = { ...home.env, PATH: `:.:${home.path}/work/..` };
    expect(run({ ...home, env }, 'diagram', tape, '--open', '-o', join(home.work, 'x.html'))).toMatchObject({
      text: expect.stringContaining('xdg-open is not here'),
    });
  });
});

/** Nothing is done; these lines are shown, in this order. */
const refused = (...lines: string[]) => {
  const shown = lines.map((line) => `^ *${line.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`);
  const end = 'nothing was started, because nobody can be asked here; .*--trust-tape';
  return { code: 2, text: expect.stringMatching(new RegExp([...shown, end].join('.*'), 'ms')) };
};

const run = ({ path, env }: Home, ...words: string[]) => {
  const [program, args] = commandLine(...words);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: path, env, encoding: 'utf8', input: 'y\n' });
  return { code: status, text: stdout + stderr };
};

type Line = [dir: 'in' | 'out', message: object, more?: object];

const tapeOf = (home: Home, command: string[], lines: Line[]): string => {
  const wire: Line[] = [
    ['in', { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }],
    ['out', { jsonrpc: '2.0', id: 0, result: {} }],
    ...lines,
  ];
  const entries = wire.map(([dir, message, more], t) => ({ t, dir, line: JSON.stringify(message), ...more }));
  return home.write(
    't.jsonl',
    [{ meta: { version: 1, command } }, ...entries].map((one) => JSON.stringify(one)).join('\n'),
  );
};

/** The tape of a daemon whose model wants to run a command, and whose client approves it. */
const daemonTape = (home: Home, flags: string[], command = ['ls']): string => {
  const args = { prompt: 'go', cwd: '/', config: { writable_roots: ['/etc'] } };
  const item = { type: 'function_call', name: 'shell', arguments: JSON.stringify({ command }), call_id: 'c' };
  return tapeOf(
    home,
    ['codex-rx', 'mcp-server', '--record', 'x', ...flags],
    [
      ['in', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'codex', arguments: args } }],
      ['in', { jsonrpc: '2.0', id: 2, method: 'sendUserTurn', params: { items: [{ path: '/root/photo.png' }] } }],
      ['in', { jsonrpc: '2.0', id: 3, method: 'execOneOffCommand', params: { command: ['rm', '-r', '/'] } }],
      ['out', { kind: 'item', item }, { seam: 'model', call: 1 }],
      ['in', { jsonrpc: '2.0', id: 0, result: { decision: 'approved' } }],
    ],
  );
};
