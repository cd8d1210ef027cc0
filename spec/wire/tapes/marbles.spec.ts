/** The package as its users have it: its tarball in the example, whose specs are checked and run, and notice when a server changes. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { answer, request } from '../../../src/testing/messages';
import { session } from '../../../src/testing/session';
import { stdio } from '../../../src/testing/stdio';
import { askableServer, codexCall } from '../../support/daemon/legacy';
import { commandLine, endServers, scripted } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { openHome, removeHomes } from '../../support/home';
import { gone } from '../../support/processes';
import { runSpec } from '../../testing/written';

afterAll(removeHomes);

const ROOT = resolve(__dirname, '../../..');
const EXAMPLE = join(ROOT, 'docs/examples/marble-specs');
const TAPE = join(ROOT, 'spec/fixtures/tapes/exec-approval-approved.jsonl');

type Ran = { status: number | null; output: string };

const run = (cwd: string, program: string, ...args: string[]): Ran => {
  const { NODE_OPTIONS, NODE_TEST_CONTEXT, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};

const program = (cwd: string, ...args: string[]): Ran => run(cwd, ...(commandLine(...args).flat() as [string]));

/** The example in a folder of its own, with the package unpacked and what it needs linked. */
const install = (): string => {
  const { path } = openHome();
  const folder = join(path, 'example');
  cpSync(EXAMPLE, folder, { recursive: true });
  const own = join(folder, 'node_modules/codex-rx');
  mkdirSync(own, { recursive: true });
  const packed = run(ROOT, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', path);
  expect(packed.status).toBe(0);
  const tarball = join(path, 'codex-rx-0.1.0.tgz');
  expect(run(path, 'tar', 'xzf', tarball, '-C', own, '--strip-components=1').status).toBe(0);
  for (const name of ['rxjs', 'tslib', 'typescript', '@types/node', 'undici-types']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  return folder;
};

describe('the example of marble specs', () => {
  const example = { folder: '' };
  beforeAll(() => {
    example.folder = install();
  });

  it('is what the program writes of its tape', () => {
    const { output } = program(EXAMPLE, 'marbles', 'tape.jsonl', '--trust-tape');
    expect(output).toBe(readFileSync(join(EXAMPLE, 'recorded.test.js'), 'utf8'));
  });

  it('is right by its types', () => {
    const { check } = JSON.parse(readFileSync(join(example.folder, 'package.json'), 'utf8')).scripts;
    const [, ...args] = check.split(' ');
    const ran = run(example.folder, process.execPath, 'node_modules/typescript/bin/tsc', ...args);
    expect(ran).toEqual({ status: 0, output: '' });
  });

  it('passes, and fails in marbles when the server sends something else', () => {
    // the reporter is named, for the default one is another in Node 24
    const tests = () => run(example.folder, process.execPath, '--test', '--test-reporter=tap');
    const before = tests();
    expect([before.status, before.output.match(/^# pass (\d+)/m)?.[1]]).toEqual([0, '4']);

    const server = join(example.folder, 'server.js');
    writeFileSync(server, readFileSync(server, 'utf8').replace("'Deleted.' : 'Kept.'", "'Gone.' : 'Kept.'"));
    const after = tests();
    expect([after.status, after.output.match(/^# fail (\d+)/m)?.[1]]).toEqual([1, '2']);
    expect(after.output).toContain(
      [
        '  client    i-n-a---d---y---d---|',
        '  expected  -I----A---Q---D---X-|',
        '  actual    -I----A---Q---?---X-|',
        '                          ^',
        '  expected D (an answer); actual ? (an answer)',
        '  message.result.content[0].text: expected "Deleted.", actual "Gone."',
      ]
        .map((line) => `    ${line}`)
        .join('\n'),
    );
  });

  it('is there for CommonJS as well, without a test runner of its own', () => {
    const script = "const { session } = require('codex-rx/testing'); process.stdout.write(typeof session)";
    expect(run(example.folder, process.execPath, '-e', script)).toEqual({ status: 0, output: 'function' });
    const types = declarationsFrom(join(example.folder, 'node_modules/codex-rx/dist/types/testing/index.d.ts'));
    expect([...new Set(types)].sort()).toEqual(['rxjs', 'rxjs/internal/testing/TestScheduler']);
    const bundle = readFileSync(join(example.folder, 'node_modules/codex-rx/dist/testing.cjs'), 'utf8');
    const required = new Set([...bundle.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name));
    expect([...required].filter((name) => !name?.startsWith('node:')).sort()).toEqual(['rxjs', 'rxjs/testing']);
  });
});

/** The file of a relative import: a module of its own, or the door of a folder. */
const declarationOf = (path: string): string =>
  [`${path}.d.ts`, join(path, 'index.d.ts')].find((file) => existsSync(file)) ?? path;

/** The type declarations that a file of them leads to, and the packages that they name. */
const declarationsFrom = (file: string, seen = new Set<string>()): string[] => {
  if (seen.has(file)) return [];
  seen.add(file);
  const targets = [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map(([, target]) => target as string);
  return targets.flatMap((target) =>
    target.startsWith('.') ? declarationsFrom(declarationOf(join(dirname(file), target)), seen) : [target],
  );
};

describe('codex-rx marbles', () => {
  it.each([
    ['a span without a message', ['--from', '9000'], /sends nothing from 9000 ms on; the tape goes from 0 to 322 ms/],
    [
      'a thread that is not there',
      ['--thread', 'nobody'],
      /thread nobody is not on the tape; its threads are 00000000-/,
    ],
    ['a span that goes back', ['--from', '5', '--to', '2'], /--to must not be before --from/],
    ['a runner that is none', ['--runner', 'ava'], /--runner must be node, jest, vitest or mocha; it is ava/],
    ['a file that is there', ['-o', TAPE], /is there already and stays as it is: name a new file/],
  ])('refuses %s with exit code 2', (_, args, words) => {
    const { status, output } = program(ROOT, 'marbles', TAPE, ...args);
    expect(status).toBe(2);
    expect(output).toMatch(words);
  });

  it('writes about the command after --, for the runner that is named', () => {
    const { output } = program(ROOT, 'marbles', TAPE, '--runner', 'vitest', '--', 'my-server', '--flag');
    expect(output).toContain("import { test } from 'vitest';\n");
    expect(output).toContain("const server = stdio(['my-server', '--flag']);\n");
  });
});

describe("the daemon's own recording", () => {
  afterEach(endServers);

  const script = {
    scenes: [
      {
        when: 'write',
        answers: [
          {
            items: [
              { text: 'I write it.', deltas: 3 },
              { call: 'shell', args: { command: ['touch', 'made.txt'] }, id: 'c' },
            ],
          },
          { items: [{ text: 'It is written.', deltas: 4 }] },
        ],
      },
    ],
    otherwise: { items: [{ text: 'You are welcome.' }] },
  };

  it('is a spec that it passes, and that it fails with another answer of its model', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const args = { 'approval-policy': 'untrusted' };
    const peer = await askableServer({ home, args: ['--record', tape], script });
    const answered = peer.request('tools/call', codexCall(peer, 'write', args), 1);
    const { id } = await peer.nextOf('elicitation/create');
    peer.send({ id, result: { action: 'accept', content: { decision: 'approved' } } });
    const { threadId } = (await answered).result.structuredContent;
    await peer.request('tools/call', { name: 'codex-reply', arguments: { threadId, prompt: 'thanks' } }, 2);
    await peer.end();
    expect(rerunOf(home, tape)).toEqual(SAME_TO_THE_BYTE);

    const text = (own: object) => {
      const [command, rest] = commandLine('mcp-server', ...scripted(home, own));
      const { env, work } = home;
      const { stdout } = spawnSync(...marblesOf(tape, command, ...rest), { env, cwd: work, encoding: 'utf8' });
      return stdout;
    };
    const server = (own: object) => {
      const [command, rest] = commandLine('mcp-server', ...scripted(home, own));
      return stdio([command, ...rest], { env: home.env, cwd: home.work });
    };
    await runSpec(text(script), server(script));
    const other = { ...script, otherwise: { items: [{ text: 'Not at all.' }] } };
    await expect(runSpec(text(other), server(other))).rejects.toThrow(
      /message\.params\.msg\.delta: expected "You are welcome\.", actual "Not at all\."/,
    );
  });
});

const marblesOf = (tape: string, ...command: string[]): [string, string[]] =>
  commandLine('marbles', tape, '--', ...command);

describe('stdio', () => {
  const phase = {
    client: 'i--',
    server: '-I|',
    values: { i: request('initialize'), I: answer('i', {}) },
  };
  const node = (script: string) => session(stdio([process.execPath, '-e', script]), { limitMs: 3_000 }).plays(phase);
  const ANSWER = `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":0,"result":{}}'));`;

  it('passes a program that answers and ends', () => node(ANSWER));

  it('shows how a program failed, and its last lines', async () => {
    const failing = node(`${ANSWER} process.on('exit', () => { console.error('no disk'); process.exitCode = 3; })`);
    await expect(failing).rejects.toThrow(/actual {4}-I#[\s\S]*ended with exit code 3\n {2}stderr: no disk/);
  });

  it('reports that there is no such program', async () => {
    await expect(session(stdio(['no-such-program'])).plays(phase)).rejects.toThrow(/could not be started: /);
  });

  it('leaves no program behind that does not end', async () => {
    const log: string[] = [];
    const script = `console.error(process.pid); setInterval(() => {}, 1000); ${ANSWER}`;
    const server = stdio([process.execPath, '-e', script], { log: (line) => log.push(line) });
    await session(server, { settleMs: 50 }).plays({ ...phase, server: '-I' });
    expect(Number(log[0])).toBeGreaterThan(1);
    await gone([Number(log[0])]);
  });
});
