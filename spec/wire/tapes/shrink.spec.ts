/** The real program shrinks a recording of a real server. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

/** A tool works until another was called: `read` is wrong then, `end` ends the server. */
const SERVER = `
const broken = process.argv[2] === 'broken';
let opened = false;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params: { name } } = JSON.parse(line);
  if (name === 'open') opened = true;
  if (name === 'end' && broken && opened) process.exit(3);
  if (name === 'draw') console.log(JSON.stringify({ method: 'drawn', params: { number: Math.random() } }));
  console.log(JSON.stringify({ id, result: name === 'read' && broken && opened ? 'wrong' : name }));
});
`;

const run = ({ env, work }: Home, args: string[], input = '') => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env, cwd: work, input, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const recorded = (...names: string[]) => {
  const home = openHome();
  const server = [process.execPath, home.write('work/server.cjs', SERVER)];
  const input = names.map((name, i) => `${JSON.stringify({ id: i + 1, method: 'tools/call', params: { name } })}\n`);
  run(home, ['record', '-q', '-o', 'tape.jsonl', '--', ...server], input.join(''));
  const clientLines = (tape: string) =>
    readFileSync(join(home.work, tape), 'utf8')
      .split('\n')
      .flatMap((line) => (line.includes('"dir":"in"') ? [JSON.parse(JSON.parse(line).line).params.name] : []));
  return { home, server, clientLines };
};

describe('codex-rx shrink', () => {
  it('finds the requests that a difference needs, as a tape and as a spec', () => {
    const { home, server, clientLines } = recorded('a', 'open', 'b', 'c', 'read', 'd');
    const out = ['-o', 'small.jsonl', '--spec', 'small.test.mjs'];
    const { status, stdout, stderr } = run(home, ['shrink', 'tape.jsonl', ...out, '--', ...server, 'broken']);
    expect(stderr).toContain(
      'small.test.mjs is written; it imports codex-rx/testing, so its project needs the package',
    );
    expect(stdout).toMatch(/message\.result: recorded "read", now "wrong"/);
    expect(stdout).toMatch(/\nSHRUNK: from 6 lines of the client to 2, besides the handshake, in \d+ runs\n$/);
    expect([status, clientLines('small.jsonl')]).toEqual([0, ['open', 'read']]);
    expect(readFileSync(join(home.work, 'small.test.mjs'), 'utf8')).toContain("client: 'or|'");
    expect(run(home, ['replay', 'small.jsonl', '--', ...server, 'broken']).status).toBe(1);
    expect(run(home, ['replay', 'small.jsonl', '--', ...server]).status).toBe(0);
  });

  it('finds those that a crash needs, and ends with 1 if nothing fails', () => {
    const { home, server, clientLines } = recorded('a', 'open', 'b', 'end', 'c');
    const { stdout, stderr } = run(home, ['shrink', 'tape.jsonl', '-o', 'small.jsonl', '--', ...server, 'broken']);
    expect(stderr).toContain('the failure: the server ended with exit code 3');
    expect(stdout).toContain('SHRUNK: from 5 lines of the client to 2');
    expect(clientLines('small.jsonl')).toEqual(['open', 'end']);
    const same = run(home, ['shrink', 'tape.jsonl', '--', ...server]);
    expect([same.status, same.stdout]).toEqual([1, expect.stringMatching(/^SAME: /)]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('writes what it has found before %s ends it', (signal, code) => {
    const { home, server, clientLines } = recorded('a', 'b', 'c', 'open', 'read', 'd');
    const stops = `
const { appendFileSync, statSync } = require('node:fs');
appendFileSync('runs', '.');
if (statSync('runs').size === 4) {
  process.kill(process.ppid, '${signal}');
  setInterval(() => {}, 1000); // the run does not end before
} else require(${JSON.stringify(server[1])});`;
    const stopping = [process.execPath, home.write('work/stopping.cjs', stops), 'broken'];
    const { status, stdout } = run(home, ['shrink', 'tape.jsonl', '-o', 'small.jsonl', '--', ...stopping]);
    expect([status, clientLines('small.jsonl')]).toEqual([code, ['open', 'read', 'd']]);
    expect(stdout).toContain('SHRUNK: from 6 lines of the client to 3, besides the handshake, in 3 runs');
  });

  it('leaves out what differs between runs, and reports if nothing else differs', () => {
    const { home, server, clientLines } = recorded('draw', 'open', 'b', 'read');
    const out = ['-o', 'small.jsonl'];
    const { stdout, stderr } = run(home, ['shrink', 'tape.jsonl', ...out, '--', ...server, 'broken']);
    expect(stderr).toMatch(/what differs between 2 runs is left out: .*message\.params\.number\n/);
    expect(stderr).toContain('the failure: tools/call read: message.result\n');
    expect(stdout).not.toContain('message.params.number');
    expect(clientLines('small.jsonl')).toEqual(['open', 'read']);
    const unstable = run(home, ['shrink', 'tape.jsonl', '--', ...server]);
    expect([unstable.status, unstable.stdout]).toEqual([1, expect.stringMatching(/^UNSTABLE: /)]);
  });

  it.each([
    ['the tape', ['-o', 'tape.jsonl'], 'tape.jsonl'],
    ['the spec', ['-o', 'small.jsonl', '--spec', 'server.cjs'], 'server.cjs'],
  ])('starts no server where the file for %s is there already', (_, files, taken) => {
    const { home } = recorded('a');
    const touch = ['touch', join(home.work, 'started')];
    const { status, stderr } = run(home, ['shrink', 'tape.jsonl', ...files, '--', ...touch]);
    expect([status, stderr]).toEqual([
      2,
      `codex-rx shrink: ${taken} is there already and stays as it is: name a new file\n`,
    ]);
    expect(readdirSync(home.work)).not.toContain('started');
  });
});
