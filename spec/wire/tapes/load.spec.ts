/** The real program puts load on a real server. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const SERVER = [process.execPath, resolve(__dirname, '../../support/servers/smallServer.mjs')];

const run = ({ env, work }: Home, args: string[]) => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env, cwd: work, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const call = (id: number, name: string) => ({ id, method: 'tools/call', params: { name, arguments: {} } });
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** A recording of the tools `slow` and `wrong`. */
const TAPE = [
  { meta: { version: 1 } },
  { t: 0, dir: 'in', line: JSON.stringify(call(1, 'slow')) },
  { t: 80, dir: 'out', line: JSON.stringify({ jsonrpc: '2.0', id: 1, result: text('slow but sure') }) },
  { t: 81, dir: 'in', line: JSON.stringify(call(2, 'wrong')) },
  {
    t: 82,
    dir: 'out',
    line: JSON.stringify({ jsonrpc: '2.0', id: 2, result: { ...text('that went wrong'), isError: true } }),
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

describe('codex-rx replay --times', () => {
  it('measures response times and memory, and keeps the first run that differs as a tape', () => {
    const home = openHome();
    writeFileSync(join(home.work, 't.jsonl'), TAPE);
    const load = [
      'replay',
      't.jsonl',
      '--ignore-method',
      'notifications/progress',
      '--times',
      '4',
      '--parallel',
      '2',
      '-o',
      'first.jsonl',
    ];
    const same = run(home, [...load, '--report', 'json', '--', ...SERVER]);
    const report = JSON.parse(same.stdout);
    expect(report).toMatchObject({ same: true, runs: 4, parallel: 2, differing: 0 });
    expect(report.methods).toEqual([
      expect.objectContaining({ method: 'tools/call slow', count: 4, errors: 0 }),
      expect.objectContaining({ method: 'tools/call wrong', count: 4, errors: 4 }),
    ]);
    expect(report.methods[0].p50Ms).toBeGreaterThan(70);
    if (process.platform === 'linux') expect(report.memory.maxBytes).toBeGreaterThan(10_000_000);
    const dead = run(home, [...load, '--', ...SERVER, 'dead']);
    expect(dead.status).toBe(1);
    expect(dead.stdout).toMatch(/\nDIFFERS: 4 of 4 runs, 2 at once/);
    expect(readFileSync(join(home.work, 'first.jsonl'), 'utf8')).toContain('cannot find my database');
    const taken = run(home, [...load, '--', ...SERVER]);
    expect([taken.status, taken.stderr]).toEqual([2, expect.stringContaining('first.jsonl is there already')]);
  });
});
