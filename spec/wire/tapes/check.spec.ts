/** The real program checks recordings of a real server. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const SERVER = [process.execPath, resolve(__dirname, '../../support/servers/smallServer.mjs')];

const run = ({ env, work }: Home, args: string[], input = '') => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env, cwd: work, input, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const lines = (...messages: object[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const call = (id: number, name: string, args = {}) => ({ id, method: 'tools/call', params: { name, arguments: args } });

describe('codex-rx check', () => {
  it('finds what is wrong in recordings of a server, and exports their calls', () => {
    const home = openHome();
    const recordOf = (server: string[], name: string, ...messages: object[]) =>
      run(home, ['record', '-q', '-o', `tapes/${name}`, '--', ...server], lines(...messages));
    const record = (name: string, ...messages: object[]) => recordOf(SERVER, name, ...messages);
    const lasting = ['sh', '-c', '"$@"; sleep 1.2', 'sh', ...SERVER]; // had time to respond
    run(home, ['record', '-q', '-o', 'tapes/', '--', ...SERVER], ''); // makes the folder
    record('good.jsonl', { id: 1, method: 'tools/list' }, call(2, 'echo', { text: 'hi' }));
    recordOf(lasting, 'hung.jsonl', call(1, 'hang'));
    const { status, stdout } = run(home, ['check', 'tapes', '--allow', 'protocol', '--otlp', 'traces.json']);
    expect(stdout).toContain('PASSED: good.jsonl: 2 calls\nFAILED: hung.jsonl\n');
    expect(stdout).toContain('  hung: tools/call hang (line 2): the server never responded\n');
    expect(status).toBe(1);
    expect(JSON.parse(readFileSync(join(home.work, 'traces.json'), 'utf8')).resourceSpans).toHaveLength(3);
    const several = run(home, ['check', '--allow', 'protocol', 'tapes/good.jsonl', 'tapes/none.jsonl', 'tapes']);
    expect(several.stdout).toMatch(/^PASSED: tapes\/good\.jsonl: 2 calls\nCANNOT BE USED: tapes\/none\.jsonl: /);
    expect([several.status, several.stdout]).toEqual([2, expect.stringContaining('FAILED: tapes/hung.jsonl\n')]);
    const same = ['check', 'tapes/good.jsonl', '--allow', 'protocol', '--baseline', 'tapes/good.jsonl'];
    expect(run(home, same).status).toBe(0);
    expect(run(home, [...same, '--forbid', 'ec*', '--report', 'json']).stdout).toContain('"rule": "forbidden"');
    const coverage = run(home, ['check', 'tapes', '--allow', 'hung', '--allow', 'protocol', '--min-coverage', '99']);
    expect([coverage.status, coverage.stdout]).toEqual([
      1,
      expect.stringMatching(/\nCOVERAGE: [\d.]+ %, .*\n {2}tools +1 of 1\n/),
    ]);
    expect(run(home, ['drift', 'tapes/good.jsonl', 'tapes/good.jsonl']).stdout).toBe('SAME: nothing changed\n');
    record('bare.jsonl', call(1, 'echo', { text: 'hi' })); // has no list
    const bare = ['check', 'tapes/bare.jsonl', '--allow', 'protocol'];
    const uncounted = [run(home, [...bare, '--coverage']), run(home, [...bare, '--min-coverage', '9'])];
    expect(uncounted.map((one) => one.status)).toEqual([0, 2]);
    for (const { stdout, stderr } of uncounted) {
      expect(stdout).toContain('PASSED: bare.jsonl: 1 call\n');
      expect(stderr).toContain('the coverage cannot be counted; --baseline names a tape that has');
    }
    const unusable = run(home, ['check', 'no.jsonl']);
    expect([unusable.status, unusable.stderr]).toEqual([2, expect.stringContaining('no.jsonl cannot be read')]);
  });
});
