/** The real recorder between a client and programs that are no servers: nothing that it relays may change. */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askableServer, codexCall, greet } from '../../support/daemon/legacy';
import { commandLine, endServers, startServer } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { openHome, removeHomes } from '../../support/home';
import { gone, settled, until } from '../../support/processes';

afterEach(endServers);
afterEach(removeHomes);

const recorder = (command: string[], ...options: string[]) => {
  const home = openHome();
  const tape = join(home.path, 'tape.jsonl');
  const [program, args] = commandLine('record', '-o', tape, ...options, '--', ...command);
  return { home, tape, program, args, options: { env: home.env, cwd: home.work } };
};

const run = (command: string[], input: string | Buffer = '', ...options: string[]) => {
  const { tape, program, args, options: at } = recorder(command, ...options);
  const { stdout, stderr, status, signal } = spawnSync(program, args, { ...at, input, maxBuffer: 2 ** 28 });
  return { tape, stdout, stderr: stderr.toString(), status, signal, entries: () => entriesOf(tape) };
};

const entriesOf = (tape: string) =>
  readFileSync(tape, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const { t, ...sent } = JSON.parse(line);
      expect(t).toEqual(expect.any(Number));
      return sent;
    });

const sh = (script: string) => ['/bin/sh', '-c', script];

describe('codex-rx record', () => {
  it('passes bytes as they are, both ways, and tapes them without loss', () => {
    const input = Buffer.from('a\r\n\xff\x00\nlast', 'latin1');
    const { stdout, entries, status } = run(['cat'], input);
    expect([status, stdout]).toEqual([0, input]);
    const lines = [
      { line: 'a', end: '\r\n' },
      { line: '\ufffd\0', bytes: '/wA=' },
      { line: 'last', end: '' },
    ];
    const emitted = entries();
    expect(emitted.filter(({ dir }) => dir === 'in')).toEqual(lines.map((line) => ({ dir: 'in', ...line })));
    expect(emitted.filter(({ dir }) => dir === 'out')).toEqual(lines.map((line) => ({ dir: 'out', ...line })));
    expect(emitted.at(-1)).toEqual({ dir: 'exit', line: '{"code":0,"sig":null}' });
  });

  it('passes 20 MB in long lines through a reader that stops now and then', () => {
    const line = `${'x'.repeat(1_000_000)}\n`;
    const { stdout, entries } = run(sh('cat'), line.repeat(20));
    expect(stdout.toString() === line.repeat(20)).toBe(true);
    expect(entries().filter(({ dir }) => dir === 'out')).toHaveLength(20);
  });

  it.each([
    ['its exit code', 'exit 7', 7, null],
    ['its signal', 'kill -TERM $$', null, 'SIGTERM'],
    ['its death', 'kill -KILL $$', null, 'SIGKILL'],
    ['that there is no such program', 'exec /no/such/program', 127, null],
  ])('ends as the server ended: %s', (_, script, code, sig) => {
    const { status, signal } = run(sh(script));
    expect([status, signal]).toEqual([code, sig]);
  });

  it('loses, cuts and doubles lines of either side, and tapes them as they were sent', () => {
    const { stdout, entries, status } = run(['cat'], '1234\nb\nc\nd\n', '--faults', '-x', '--client-faults', 'cD');
    expect([status, stdout.toString()]).toEqual([0, '12\nb\nc\nd\n']);
    expect(entries().filter(({ dir }) => dir === 'in' || dir === 'out')).toEqual(
      expect.arrayContaining([
        { dir: 'in', line: '1234', injected: 'is cut in half' },
        { dir: 'in', line: 'b', injected: 'comes twice' },
        { dir: 'out', line: '12' },
        { dir: 'out', line: 'b', injected: 'is lost' },
      ]),
    );
  });

  it('ends the server and all that it started at a crash by a fault', async () => {
    const { stdout, entries, stderr, status } = run(sh('sleep 600 & echo $!; cat'), '{"id":1}\n', '--faults', '-#');
    expect([status, stderr]).toEqual([1, expect.stringContaining('fault: the server crashes before line 2')]);
    expect(entries()).toContainEqual({
      dir: 'note',
      line: 'fault: the server crashes before line 2 (no message)',
      injected: 'crash',
    });
    await gone([Number(stdout)]);
  });

  it('leaves no tape of a program that is not there', () => {
    const folder = openHome().path;
    const [program, args] = commandLine('record', '-o', 'tape.jsonl', '--', 'no-such-program-anywhere');
    const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    expect([status, existsSync(join(folder, 'tape.jsonl'))]).toEqual([127, false]);
    expect(stderr).toContain('the server could not be started: no-such-program-anywhere: No such file or directory');
    writeFileSync(join(folder, 'tape.jsonl'), '{"meta":{}}\n');
    spawnSync(program, args, { cwd: folder });
    expect(readFileSync(join(folder, 'tape.jsonl'), 'utf8')).toMatch(/^\{"meta":\{\}\}\n\{"meta":/);
  });

  it('passes stderr on and records it; its own log can be left out', () => {
    const { stderr, entries } = run(sh('echo hm >&2'), '', '-q');
    expect(stderr).toBe('hm\n');
    expect(entries()).toContainEqual({ dir: 'err', line: 'hm' });
    expect(run(sh('exit 0')).stderr).toMatch(/recording to .*\n.*0 lines from the client.*bytes/);
  });

  it('hands a signal on, and lets the server decide what it means', async () => {
    const { program, args, options, tape } = recorder(
      sh('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.05; done'),
    );
    const child = spawn(program, args, options);
    const ended = new Promise((done) => child.once('exit', (code) => done(code)));
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await ended).toBe(5);
    expect(entriesOf(tape)).toContainEqual({ dir: 'out', line: 'bye' });
  });

  it('makes the server wait while the client reads nothing', async () => {
    const { program, args, options, tape } = recorder(['yes']);
    const child = spawn(program, args, options);
    child.stdout.pause();
    const size = () => (existsSync(tape) ? statSync(tape).size : 0);
    await until(() => size() > 100_000, 'a tape that grows');
    const sizes: number[] = [];
    const hasStopped = () => sizes.push(size()) > 20 && sizes.at(-1) === sizes.at(-20); // looks of 0.4 s
    await until(hasStopped, 'a tape that grows no more').finally(() => child.kill('SIGKILL'));
    expect(sizes.at(-1)).toBeGreaterThan(100_000);
  });

  it('makes the client wait while the server reads nothing', async () => {
    const { program, args, options, tape } = recorder(sh('echo up; read -r line; kill -STOP $$'));
    const child = spawn(program, args, options);
    child.stdin.on('error', () => {}); // what it could not read is lost with it
    await new Promise((up) => child.stdout.once('data', up));
    const block = `${'x'.repeat(1000)}\n`.repeat(1000);
    for (let i = 0; i < 40; i += 1) child.stdin.write(block);
    const size = () => statSync(tape).size;
    await until(() => size() > 100_000, 'a tape that grows');
    const held = await settled(size);
    expect(held).toBeLessThan(20_000_000);
    expect(child.stdin.writableLength).toBeGreaterThan(20_000_000);
    child.kill('SIGKILL');
  });

  it('leaves nobody behind when it is killed itself', async () => {
    const { program, args, options } = recorder(sh('trap "" HUP TERM; echo $$; while :; do sleep 0.1; done'));
    const child = spawn(program, args, options);
    const pid = await new Promise<number>((emitted) => child.stdout.once('data', (data) => emitted(Number(data))));
    child.kill('SIGKILL');
    await gone([pid]);
  });

  it('leaves a tape that can be read when it is killed itself; a second session goes after the first', async () => {
    const { program, args, options, tape } = recorder(['cat']);
    for (const session of [1, 2]) {
      const child = spawn(program, args, options);
      child.stdin.write('{"id":1}\n');
      await until(() => existsSync(tape) && readFileSync(tape, 'utf8').split('"out"').length === session + 1, 'a line');
      child.kill('SIGKILL');
      await new Promise((done) => child.once('exit', done));
    }
    const metas = readFileSync(tape, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"meta"'));
    expect(metas).toHaveLength(2);
    expect(statSync(tape).mode & 0o777).toBe(0o600);
  });

  it('makes two tapes of two sessions at once on one --out, and appends to the first when it is free again', async () => {
    const { home, tape, program, args, options } = recorder(['cat']);
    const start = () => {
      const child = spawn(program, args, { ...options, stdio: 'pipe' });
      const ended = new Promise((resolve) => child.on('close', resolve));
      const echoed = new Promise((resolve) => child.stdout.once('data', resolve));
      child.stdin.write('a\n');
      return { child, ended, echoed };
    };
    const first = start();
    await first.echoed;
    const second = start();
    await second.echoed;
    for (const { child, ended } of [first, second]) {
      child.stdin.end();
      await ended;
    }
    const third = start();
    third.child.stdin.end();
    await third.ended;
    const sessionsOf = (path: string) => readFileSync(path, 'utf8').match(/^\{"meta"/gm)?.length;
    expect([sessionsOf(tape), sessionsOf(join(home.path, 'tape-2.jsonl'))]).toEqual([2, 1]);
    expect(readdirSync(home.path).sort()).toEqual(['tape-2.jsonl', 'tape.jsonl', 'work']);
  });

  it('keeps secrets off the tape on demand, not off the wire', () => {
    const line = '{"key":"sk-abcdefgh1234"}\n';
    const { stdout, entries, tape } = run(['cat'], line, '--redact');
    expect(stdout.toString()).toBe(line);
    expect(entries()).toContainEqual({ dir: 'out', line: '{"key":"[redacted]"}' });
    expect(JSON.parse(readFileSync(tape, 'utf8').split('\n')[0] ?? '').meta).toMatchObject({ redacted: true });
  });

  it('keeps a secret off the tape that pieces of a text split', () => {
    const pieces = ['my key: sk-abcd', 'efgh12', '34 is good'];
    const lines = pieces.map(
      (delta) => `${JSON.stringify({ method: 'item/agentMessage/delta', params: { delta } })}\n`,
    );
    const { stdout, entries } = run(['cat'], lines.join(''), '--redact');
    expect(stdout.toString()).toBe(lines.join(''));
    const taped = entries().filter(({ dir }) => dir === 'out');
    expect(taped.map(({ line }) => JSON.parse(line).params.delta)).toEqual(['my key: [redacted]', '', ' is good']);
  });

  it('refuses to run nothing, and to tape if it may not', () => {
    const { home, program, options } = recorder([]);
    const refused = (...args: string[]) =>
      spawnSync(program, commandLine('record', ...args)[1], { ...options, encoding: 'utf8' });
    expect(refused()).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('after --') });
    expect(refused('-o', join(home.path, 'no/where'), '--', 'cat')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/the tape cannot be written: ENOENT.*; name another file by --out/),
    });
  });
});

const script = {
  scenes: [
    {
      when: 'go',
      answers: [{ items: [{ call: 'shell', args: { command: ['echo', 'hi'] } }] }, { items: [{ text: 'done' }] }],
    },
  ],
};

describe('codex-rx mcp-server --record', () => {
  it('tapes the wire, the model and the commands on one clock', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const peer = await askableServer({ home, args: ['--record', tape], script });
    const answer = await peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'never' }));
    await peer.end();
    const sent = entriesOf(tape);
    const seams = (seam: string | undefined, dir: string) => sent.filter((one) => one.seam === seam && one.dir === dir);
    expect(seams(undefined, 'in').map(({ line }) => JSON.parse(line).method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
    expect(seams(undefined, 'out').map(({ line }) => JSON.parse(line))).toEqual(peer.messages);
    expect(peer.messages.at(-1)).toEqual(answer);
    expect(JSON.parse(seams('model', 'in')[0].line)).toMatchObject({ instructions: expect.any(String) });
    expect(JSON.parse(seams('executor', 'in')[0].line).env).toContain('PATH');
    expect(seams('executor', 'out').map(({ line }) => JSON.parse(line).kind)).toContain('exited');
    expect(statSync(tape).mode & 0o777).toBe(0o600);
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);
  });

  it('warns of a tape that ends early, and in other words of one whose lines are mixed', async () => {
    const warnings = async (tape: string, meanwhile = () => {}): Promise<string> => {
      const peer = startServer({ home: openHome(), args: ['--record', tape] });
      await greet(peer);
      meanwhile();
      await peer.request('ping');
      await peer.end();
      return peer.stderr();
    };
    const full = await warnings('/dev/full');
    expect(full).toContain('the tape ends here, the session continues: ENOSPC');
    const tape = join(openHome().path, 'tape.jsonl');
    const mixed = await warnings(tape, () => appendFileSync(tape, '{"t":1,"dir":"mark","line":"mine"}\n'));
    expect(mixed).toContain('another recorder writes to this tape as well');
    expect(full + mixed).not.toContain('incomplete');
  });
});
