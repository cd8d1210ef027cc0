/** The real program sends a real server changed requests. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const SERVER = [process.execPath, resolve(__dirname, '../../support/servers/fragileServer.mjs')];
const TOOLS = ['crash', 'hang', 'flood', 'noise', 'twice', 'internal', 'trace', 'sound'];

const run = ({ env, work }: Home, ...args: string[]) => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env, cwd: work, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'spec', version: '1' },
};

/** A recording in which each of the tools gets a number. */
const tapeOf = (tools: readonly string[], value: unknown = 1): string => {
  const requests: [string, object, object][] = [
    ['initialize', initialize, { protocolVersion: '2025-06-18', capabilities: { tools: {} } }],
    [
      'tools/list',
      {},
      {
        tools: TOOLS.map((name) => ({
          name,
          inputSchema: { type: 'object', properties: { value: { type: 'number' } } },
        })),
      },
    ],
    ...tools.map((name): [string, object, object] => ['tools/call', { name, arguments: { value } }, {}]),
  ];
  const entries = requests.flatMap(([method, params, result], id) => [
    { t: 2 * id, dir: 'in', line: JSON.stringify({ jsonrpc: '2.0', id, method, params }) },
    { t: 2 * id + 1, dir: 'out', line: JSON.stringify({ jsonrpc: '2.0', id, result }) },
  ]);
  return [{ meta: { version: 1 } }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
};

describe('codex-rx fuzz', () => {
  it('finds each kind of fault, shrinks it to a tape, and finds none in a sound tool', () => {
    const home = openHome();
    writeFileSync(join(home.work, 't.jsonl'), tapeOf(TOOLS));
    const options = ['--runs', '6', '--timeout', '1', '-o', 'fault.jsonl', '--report', 'json'];
    const { status, stdout } = run(home, 'fuzz', 't.jsonl', ...options, '--', ...SERVER);
    const { faults, known } = JSON.parse(stdout) as {
      faults: { kind: string; what: string; lines: number; tape: string }[];
      known: [];
    };
    expect([status, known]).toEqual([1, []]);
    expect(faults.map(({ kind, what }) => `${kind}: ${what}`).toSorted()).toEqual([
      'crash: tools/call crash',
      'flood: tools/call flood',
      'hang: tools/call hang',
      'internal error: tools/call internal',
      'noise: a line that is not a message',
      'protocol: the response to tools/call twice',
      'stack trace: tools/call trace',
    ]);
    expect(faults.map(({ lines }) => lines)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    const [first] = faults;
    expect([first?.tape, run(home, 'check', 'fault.jsonl').status]).toEqual(['fault.jsonl', 1]);
  });

  it('keeps the fault that it is shrinking when a signal ends it', async () => {
    const home = openHome();
    writeFileSync(join(home.work, 't.jsonl'), tapeOf(['hang']));
    const [program, args] = commandLine('fuzz', 't.jsonl', '--timeout', '2', '-o', 'fault.jsonl', '--', ...SERVER);
    const child = spawn(program, args, { env: home.env, cwd: home.work, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    child.stdout.setEncoding('utf8');
    const printed = once(child.stdout, 'data');
    for await (const text of child.stderr.setEncoding('utf8')) if (String(text).includes('hang')) child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    expect((await printed)[0]).toMatch(/^HANG: tools\/call hang [\s\S]*fault\.jsonl: /);
    expect(existsSync(join(home.work, 'fault.jsonl'))).toBe(true);
  });

  it('reports a crash that needs no change, unless the tape has it too', () => {
    const home = openHome();
    writeFileSync(join(home.work, 't.jsonl'), tapeOf(['sound', 'crash'], 'x'));
    const fuzz = (tape: string, ...more: string[]) =>
      run(home, 'fuzz', tape, '--runs', '2', '--timeout', '2', ...more, '--', ...SERVER);
    const { status, stdout } = fuzz('t.jsonl', '-o', 'fault.jsonl');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^CRASH: tools\/call crash \(without a change\): the server ended [\s\S]* {2}fault\.jsonl: 1 line of the client/,
    );
    expect(run(home, 'replay', 'fault.jsonl', '--', ...SERVER).status).toBe(0);
    expect(fuzz('fault.jsonl').stderr).toContain('has no request that can be changed');
  });

  it('finds nothing in a sound server, and refuses a tape without a call', () => {
    const home = openHome();
    writeFileSync(join(home.work, 't.jsonl'), tapeOf(['sound']));
    expect(run(home, 'fuzz', 't.jsonl', '--runs', '3', '--', ...SERVER)).toMatchObject({
      status: 0,
      stdout: 'NO FAULT: 3 runs, 30 changed requests, seed 1\n',
    });
    writeFileSync(join(home.work, 'empty.jsonl'), tapeOf([]));
    const refused = run(home, 'fuzz', 'empty.jsonl', '--', ...SERVER);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('has no request that can be changed'),
    ]);
  });

  it('reports at a signal also the fault that it is shrinking', async () => {
    const { env, work } = openHome();
    writeFileSync(join(work, 't.jsonl'), tapeOf(['hang', 'sound']));
    const [program, rest] = commandLine('fuzz', 't.jsonl', '--timeout', '1', '-o', 'fault.jsonl', '--', ...SERVER);
    const fuzzing = spawn(program, rest, { env, cwd: work });
    const shown: string[] = [];
    fuzzing.stdout.on('data', (text) => shown.push(String(text)));
    fuzzing.stderr.on('data', (text) => /run \d+: hang/.test(String(text)) && fuzzing.kill('SIGTERM'));
    const [code] = (await once(fuzzing, 'close')) as [number];
    expect([code, shown.join('').split('\n')[0]]).toEqual([143, expect.stringMatching(/^HANG: tools\/call hang/)]);
    expect(existsSync(join(work, 'fault.jsonl'))).toBe(true);
  });

  it('does not pass a server that ends before it responds', () => {
    const home = openHome();
    writeFileSync(join(home.work, 't.jsonl'), tapeOf(['sound']));
    const ends = [process.execPath, '-e', 'process.exit(1)'];
    const { status, stdout, stderr } = run(home, 'fuzz', 't.jsonl', '--runs', '1', '--', ...ends);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('without a change: crash: initialize: the server ended with exit code 1');
    expect(stderr).toContain('the server responds to no request of the tape');
  });
});
