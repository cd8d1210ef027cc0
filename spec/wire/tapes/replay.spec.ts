/** The real program replays tapes: as a server, as a client, and recordings of itself against itself. */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { askableServer, codexCall } from '../../support/daemon/legacy';
import { commandLine, endServers, type Json, scripted } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { type Home, openHome, removeHomes } from '../../support/home';
import { until } from '../../support/processes';

afterEach(endServers);
afterEach(removeHomes);

const TAPE = resolve(__dirname, '../../fixtures/tapes/exec-approval-approved.jsonl');

const run = (args: string[], { input = '', home = openHome() }: { input?: string; home?: Home } = {}) => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, {
    env: home.env,
    cwd: home.work,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const itself = (...args: string[]): string[] => {
  const [program, rest] = commandLine(...args);
  return [program, ...rest];
};

const linesOf = (wanted: 'in' | 'out') => (tape: string) =>
  readFileSync(tape, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap(({ dir, line }) => (dir === wanted ? [`${line}\n`] : []))
    .join('');
const inputOf = linesOf('in');
const outputOf = linesOf('out');

/** Takes 200 ms to use the roots that it asked for, and does not end with its input. */
const SLOW_SERVER = `
let roots = 'none';
const send = (message) => console.log(JSON.stringify(message));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === 'notifications/initialized') send({ id: 'r', method: 'roots/list' });
  if (id === 'r') setTimeout(() => { roots = result.roots[0].uri; }, 50);
  if (method === 'tools/call') send({ id, result: { uri: roots } });
});
setInterval(() => {}, 1000);
`;

const tapeOf = (lines: [t: number, dir: string, line: string | object][]): string =>
  [
    { meta: { version: 1 } },
    ...lines.map(([t, dir, line]) => ({ t, dir, line: typeof line === 'string' ? line : JSON.stringify(line) })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

describe('codex-rx replay FILE', () => {
  it('is the server that was recorded', () => {
    const { status, stdout, stderr } = run(['replay', TAPE], { input: inputOf(TAPE) });
    expect([status, stdout, stderr]).toEqual([0, outputOf(TAPE), '']);
  });

  it('goes on line by line under the control of a descriptor, and to the end when that closes', async () => {
    const [program, rest] = commandLine('replay', TAPE, '--step-fd', '3');
    const { env, work } = openHome();
    const child = spawn(program, rest, { env, cwd: work, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    const ended = new Promise((done) => child.once('exit', done));
    let [emitted, next] = ['', ''];
    child.stdout.on('data', (chunk) => {
      emitted += chunk;
    });
    child.stderr.on('data', (chunk) => {
      next += chunk;
    });
    const control = child.stdio[3] as Writable;
    child.stdin.end(inputOf(TAPE));
    await until(() => next === 'codex-rx replay: next: response\n', 'the first line to be held');
    expect(emitted).toBe('');
    control.write('\n2\n');
    await until(() => emitted.split('\n').length === 4, 'three lines');
    control.end();
    expect(await ended).toBe(0);
    expect(emitted).toBe(outputOf(TAPE));
    expect(next.split('\n')).toHaveLength(4);
  });

  it('loses, doubles and cuts lines, and crashes, by its faults', () => {
    const lines = outputOf(TAPE).split('\n').slice(0, -1);
    const faulty = run(['replay', TAPE, '--faults', 'x-Dc-#'], { input: inputOf(TAPE) });
    const [, second, third, fourth = '', fifth] = lines;
    const half = fourth.slice(0, Math.floor(fourth.length / 2));
    expect(faulty.stdout.split('\n')).toEqual([second, third, third, half, fifth, '']);
    expect(faulty.stderr.split('\n')).toEqual([
      'codex-rx replay: fault: line 1 (response) is lost',
      expect.stringMatching(/fault: line 3 .* comes twice$/),
      expect.stringMatching(/fault: line 4 .* is cut in half$/),
      expect.stringMatching(/fault: the server crashes before line 6 /),
      '',
    ]);
    expect(faulty.status).toBe(1);
  });

  it('fails loudly on what was not recorded', () => {
    const { status, stdout, stderr } = run(['replay', TAPE], { input: '{"id":5,"method":"tools/list"}\n' });
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ id: 5, error: { code: -32050 } });
    expect(stderr).toMatch(/^codex-rx replay: not recorded: tools\/list; the tape has nothing of that method\n/);
  });

  it.each([
    ['a file that is not there', ['replay', 'no.jsonl'], /no\.jsonl cannot be read: ENOENT/],
    ['a file that is no tape', ['replay', __filename], /replay\.spec\.ts:1: is cut off or not JSON.*holds no tape/s],
    ['a session that is not in it', ['replay', TAPE, '--session', '2'], /holds 1 session; it has no session 2/],
    ['a speed that is none', ['replay', TAPE, '--speed', 'fast'], /--speed must be a number above 0, or max/],
    ['steps by the clock', ['replay', TAPE, '--step', '--speed', '2'], /--step follows no clock/],
    ['steps from stdin', ['replay', TAPE, '--step-fd', '0'], /--step-fd must be a whole number from 3/],
    ['steps from nowhere', ['replay', TAPE, '--step-fd', '99'], /--step-fd 99 cannot be read: EBADF/],
    ['two things on one stdin', ['replay', '-'], /the tape must be a file/],
    ['a pattern that is none', ['replay', TAPE, '--mask', '(', '--', 'x'], /[Ii]nvalid regular expression/],
  ])('refuses %s with exit code 2', (_, args, words) => {
    const { status, stdout, stderr } = run(args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });
});

describe('codex-rx replay FILE -- COMMAND', () => {
  it('finds no difference to a server that sends the same; the tape may come from a pipe', () => {
    const tape = readFileSync(TAPE, 'utf8');
    const { status, stdout } = run(['replay', '-', '--', ...itself('replay', TAPE)], { input: tape });
    expect([status, stdout]).toEqual([0, 'SAME: 4 lines of the client, 14 of the server\n']);
  });

  it('finds none to a tape that was cut off, on which the client never ended its input', () => {
    const cut = `${readFileSync(TAPE, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('"dir":"note"'))
      .join('\n')}\n{"t":9`;
    const { status, stdout } = run(['replay', '-', '--', ...itself('replay', TAPE)], { input: cut });
    expect([status, stdout]).toEqual([0, 'SAME: 4 lines of the client, 14 of the server\n']);
  });

  it('shows the first difference in marbles and as JSON, and ends with 1', () => {
    const home = openHome();
    const other = home.write(
      'other.jsonl',
      readFileSync(TAPE, 'utf8').replace('\\"exit_code\\":0', '\\"exit_code\\":7'),
    );
    const { status, stdout } = run(['replay', TAPE, '--', ...itself('replay', other)], { home });
    expect(status).toBe(1);
    expect(stdout).toContain('DIFFERS: tools/call codex (line 5)');
    expect(stdout).toContain('message.params.msg.exit_code: recorded 0, now 7');
    const [recorded, now, mark] = stdout.split('\n').slice(1) as [string, string, string];
    expect(recorded.length).toBe(now.length);
    expect(recorded[mark.indexOf('^')]).not.toBe(now[mark.indexOf('^')]);
    const json = run(['replay', TAPE, '--report', 'json', '--', ...itself('replay', other)], { home });
    expect(JSON.parse(json.stdout)).toMatchObject({ same: false, differences: [{ request: 'tools/call codex' }] });
    const junit = run(['replay', TAPE, '--report', 'junit', '--', ...itself('replay', other)], { home });
    expect(junit.stdout).toMatch(
      /<testsuite name="exec-approval-approved.jsonl" tests="\d+" failures="1" errors="0" skipped="0">/,
    );
  });

  it.each([
    ['is not there', ['/no/such/server'], /^codex-rx replay: the server could not be started: .*\n$/],
    [
      'fails at once',
      [process.execPath, '-e', 'process.exit(3)'],
      /stays as it was: the server ended with exit code 3; the client got to send \d of its 4 lines/,
    ],
  ])('reports a command that %s, and keeps the tape', (_, command, sent) => {
    const home = openHome();
    const tape = join(home.work, 'tape.jsonl');
    copyFileSync(TAPE, tape);
    const { status, stderr } = run(['replay', tape, '--update', '--', ...command], { home });
    expect([status, stderr]).toEqual([2, expect.stringMatching(sent)]);
    expect(readFileSync(tape)).toEqual(readFileSync(TAPE));
  });

  it('waits where the server needs it, ends it by the signal of the tape, and verifies all tapes of a folder', () => {
    const home = openHome();
    const tape = tapeOf([
      [0, 'in', { method: 'notifications/initialized' }],
      [1, 'out', { id: 'r', method: 'roots/list' }],
      [2, 'in', { id: 'r', result: { roots: [{ uri: 'a:b' }] } }],
      [300, 'in', { id: 1, method: 'tools/call', params: { name: 'x' } }],
      [301, 'out', { id: 1, result: { uri: 'a:b' } }],
      [302, 'exit', '{"code":null,"sig":"SIGTERM"}'],
      [303, 'note', 'standard input closed'],
    ]);
    home.write('tapes/a.jsonl', tape);
    home.write('tapes/b/two.jsonl', `${tape}${tape}`);
    home.write('tapes/c.jsonl', 'no tape\n');
    const server = [process.execPath, home.write('server.cjs', SLOW_SERVER)];
    const verified = run(['replay', join(home.path, 'tapes'), '--jobs', '3', '--', ...server], { home });
    expect(verified.stdout.split('\n')).toEqual([
      expect.stringMatching(/^CANNOT BE USED: c\.jsonl: .*holds no tape/),
      '4 sessions: 3 the same, 0 differ, 1 cannot be used',
      '',
    ]);
    expect(verified.status).toBe(2);
    const hurried = run(['replay', join(home.path, 'tapes/a.jsonl'), '--speed', 'max', '--', ...server], { home });
    expect(hurried.stdout).toContain('message.result.uri: recorded "a:b", now "none"');
  });

  it('rewrites the tape with what is sent now, on demand', () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    copyFileSync(TAPE, tape);
    const other = home.write(
      'other.jsonl',
      readFileSync(TAPE, 'utf8').replace('\\"exit_code\\":0', '\\"exit_code\\":7'),
    );
    const verify = (...options: string[]) =>
      run(['replay', tape, ...options, '--', ...itself('replay', other)], { home });
    expect([verify().status, verify('--update').status, verify().status]).toEqual([1, 0, 0]);
  });
});

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        {
          items: [
            { text: 'I write it.', deltas: 3 },
            { call: 'shell', args: { command: ['sh', '-c', 'printf done > made.txt; echo made it'] }, id: 'c1' },
          ],
        },
        { items: [{ text: 'It said: {{output}}', deltas: 4 }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You are welcome.' }] },
};

describe("the daemon's own recording", () => {
  const recorded = async (args: Json, meta?: Json) => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const peer = await askableServer({ home, args: ['--record', tape], script });
    const answer = peer.request('tools/call', codexCall(peer, 'write', args, meta), 1);
    if (args['approval-policy'] === 'untrusted') {
      const question = await peer.nextOf('elicitation/create');
      peer.send({ id: question.id, result: { action: 'accept', content: { decision: 'approved' } } });
    }
    const { threadId } = (await answer).result.structuredContent;
    await peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt: 'thanks' } }, 2);
    await peer.end();
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
    return { home, tape, command: itself('mcp-server', ...scripted(home, script)) };
  };

  it.each([
    ['without questions', { 'approval-policy': 'never' }, undefined],
    ['with progress', { 'approval-policy': 'never' }, { progressToken: 'p' }],
    ['with an approval', { 'approval-policy': 'untrusted', sandbox: 'workspace-write' }, undefined],
  ])('verifies against the daemon itself: %s', async (_, args, meta) => {
    const { home, tape, command } = await recorded(args, meta);
    const { status, stdout } = run(['replay', tape, '--', ...command], { home });
    expect(stdout).toMatch(/^SAME: /);
    expect(status).toBe(0);
  });

  it('differs when the daemon is set up otherwise', async () => {
    const { home, tape } = await recorded({ 'approval-policy': 'never' });
    const other = itself('mcp-server', '--events', 'none', ...scripted(home, script));
    expect(run(['replay', tape, '--', ...other], { home })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('DIFFERS: tools/call codex'),
    });
  });
});

describe('codex-rx redact, diff and stats', () => {
  const secretTape = (home: Home): string =>
    home.write(
      'tape.jsonl',
      '{"meta":{"version":1}}\n{"t":0,"dir":"in","line":"{\\"id\\":1,\\"method\\":\\"a\\",\\"params\\":{\\"x\\":\\"sk-abcdefgh1234\\"}}"}\n',
    );

  it('redacts into a new file that only its owner may read, and reports what was removed', () => {
    const home = openHome();
    const tape = secretTape(home);
    const shared = join(home.path, 'shared.jsonl');
    const { status, stderr } = run(['redact', tape, '-o', shared], { home });
    expect([status, stderr]).toEqual([0, 'codex-rx redact: 1 × API key, in line 2\n']);
    expect(readFileSync(shared, 'utf8')).not.toContain('sk-');
    expect(statSync(shared).mode & 0o777).toBe(0o600);
    expect(run(['redact', tape, '-o', tape], { home })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is there already and stays as it is'),
    });
  });

  it('redacts the whole name of a home folder with a blank', () => {
    const home = openHome();
    const env = { ...home.env, HOME: '/home/ann lee' };
    const line = JSON.stringify({ id: 1, method: 'a', params: { cwd: '/home/ann lee/work' } });
    const tape = home.write('tape.jsonl', `{"meta":{"version":1}}\n${JSON.stringify({ t: 0, dir: 'in', line })}\n`);
    const { stdout } = run(['redact', tape], { home: { ...home, env } });
    expect(stdout).toContain('/[redacted]/work');
    expect(stdout).not.toContain('lee');
  });

  it.each([['redact'], ['stats'], ['diff', TAPE], ['diagram'], ['marbles']])(
    'ends %s with 2 when the disk is full',
    (command, ...more) => {
      const [program, rest] = commandLine(command as string, TAPE, ...more);
      const { env, work } = openHome();
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(program, rest, {
        env,
        cwd: work,
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(full);
      expect([status, stderr]).toEqual([2, expect.stringContaining('the result cannot be written: ENOSPC')]);
    },
  );

  it('refuses a secret that is too short to take out, as it would stay', () => {
    const { status, stderr } = run(['redact', TAPE, '--value', 'acme']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('6 characters or more; "acme" has fewer')]);
  });

  it('takes out what the environment holds as a secret', () => {
    const home = openHome();
    const known = { ...home, env: { ...home.env, MY_API_KEY: 'correct-horse' } };
    const input = '{"t":0,"dir":"in","line":"say correct-horse"}\n';
    expect(run(['redact', '-'], { home: known, input }).stdout).toContain('say [redacted]');
  });

  it('refuses to play a redacted tape unless it is allowed', () => {
    const home = openHome();
    const shared = join(home.path, 'shared.jsonl');
    run(['redact', secretTape(home), '-o', shared], { home });
    expect(run(['replay', shared], { home })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--allow-redacted'),
    });
    expect(run(['replay', shared, '--allow-redacted'], { home }).status).toBe(0);
  });

  it('ends with 1 when tapes differ, with 0 when they do not', () => {
    const other = TAPE.replace('approved', 'denied');
    expect(run(['diff', TAPE, TAPE])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^SAME/) });
    expect(run(['diff', TAPE, other])).toMatchObject({ status: 1, stdout: expect.stringMatching(/^DIFFERS/) });
    expect(run(['diff', TAPE, 'no.jsonl']).status).toBe(2);
  });

  it('compares two sessions of one tape', () => {
    const home = openHome();
    const both = home.write(
      'both.jsonl',
      [TAPE.replace('approved', 'denied'), TAPE].map((one) => readFileSync(one, 'utf8')).join(''),
    );
    expect(run(['diff', both, TAPE], { home }).status).toBe(0);
    expect(run(['diff', both, both, '--session-a', '1', '--session-b', '1'], { home }).status).toBe(0);
    expect(run(['diff', both, both, '--session-a', '1'], { home }).status).toBe(1);
    expect(run(['diff', both, both, '--session-a', '0'], { home })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--session-a must be'),
    });
  });

  it('counts for a person and for a program', () => {
    expect(run(['stats', TAPE]).stdout).toContain('tools/call codex');
    expect(JSON.parse(run(['stats', TAPE, '--json']).stdout)).toMatchObject({ lines: { in: expect.any(Number) } });
  });
});

describe('codex-rx diagram', () => {
  it('draws a tape for a terminal, without colours if there is none', () => {
    const { status, stdout } = run(['diagram', TAPE, '--width', '60']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^request {2}i-nc-+\|\nanswer {3}-I-+=+C\|\nquestion -+/);
    expect(stdout).toContain('c C tools/call codex');
    expect(run(['diagram', TAPE, '--width', '7']).status).toBe(2);
  });

  it('writes a page and a picture that only their owner may read', () => {
    const home = openHome();
    for (const [name, start] of [
      ['x.html', '<!doctype html>'],
      ['x.svg', '<svg xmlns='],
    ] as const) {
      const path = join(home.path, name);
      const { status, stdout, stderr } = run(['diagram', TAPE, '-o', path], { home });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
      expect(stderr).toMatch(/: \d+ marbles, \d+ KB\n$/);
      expect(readFileSync(path, 'utf8').startsWith(start)).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  it('leaves a file that is there as it is, and what a link names', () => {
    const home = openHome();
    const [there, behind, link] = ['x.html', 'other', 'x.svg'].map((name) => join(home.path, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(there, 'what was there');
    symlinkSync(behind, link);
    for (const path of [there, link]) {
      const { status, stdout, stderr } = run(['diagram', TAPE, '-o', path], { home });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(`${path} is there already and stays as it is`);
    }
    expect(readFileSync(there, 'utf8')).toBe('what was there');
    expect(existsSync(behind)).toBe(false);
  });

  it('refuses a file whose name has no known format, and reports why one cannot be written', () => {
    expect(run(['diagram', TAPE, '-o', TAPE])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('.svg or .html'),
    });
    const nowhere = join(openHome().path, 'none', 'x.svg');
    expect(run(['diagram', TAPE, '-o', nowhere])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be written'),
    });
  });
});
