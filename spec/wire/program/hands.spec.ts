/** Commands and patches by hand: the processes of `apply-patch` and `explain`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

type Run = { input?: string; env?: Record<string, string> };

const run = (args: string[], { input = '', env = {} }: Run = {}) => {
  const home = openHome();
  const [program, rest] = commandLine(...args);
  const options = { cwd: home.work, env: { ...home.env, ...env }, input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(program, rest, options);
  return { status, stdout, stderr, work: home.work };
};
const patch = '*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\n';

describe('codex-rx apply-patch', () => {
  it.each([[[]], [['-']]])('applies a patch on stdin with %j', (args) => {
    const { work, ...result } = run(['apply-patch', ...args], { input: patch });
    expect(result).toEqual({ status: 0, stdout: 'Success. Updated the following files:\nA a.txt\n', stderr: '' });
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('hi\n');
  });

  it('applies a patch of a file', () => {
    const home = openHome();
    const file = join(home.work, 'x.patch');
    writeFileSync(file, patch);
    expect(run(['apply-patch', file, '--cd', home.work])).toMatchObject({ status: 0 });
    expect(readFileSync(join(home.work, 'a.txt'), 'utf8')).toBe('hi\n');
  });

  it('reports what is wrong with a patch, with exit code 1, and that one is missing, with 2', () => {
    expect(run(['apply-patch'], { input: 'no' })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: "Invalid patch: The first line of the patch must be '*** Begin Patch'\n",
    });
    expect(run(['apply-patch', 'missing'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^codex-rx apply-patch: the patch cannot be read: ENOENT/),
    });
  });
});

describe('codex-rx explain', () => {
  const explained = (...args: string[]) => JSON.parse(run(['explain', '--json', ...args]).stdout);

  it('explains a command that only reads', () => {
    expect(explained('--', 'ls', '-l')).toMatchObject({
      command: ['ls', '-l'],
      trusted: true,
      why: 'every command in it only reads',
      program: { name: 'ls', path: expect.stringMatching(/\/ls$/) },
      sandbox: 'ready',
      parsed_cmd: [{ type: 'list_files', cmd: 'ls -l', path: null }],
      decisions: {
        untrusted: { 'read-only': 'sandbox', 'workspace-write': 'sandbox', 'danger-full-access': 'run' },
        never: { 'read-only': 'sandbox', 'workspace-write': 'sandbox', 'danger-full-access': 'run' },
      },
    });
  });

  it('explains a script', () => {
    const untrusted = { 'read-only': 'ask', 'workspace-write': 'ask', 'danger-full-access': 'ask' };
    const other = { 'read-only': 'sandbox', 'workspace-write': 'sandbox', 'danger-full-access': 'run' };
    expect(explained('--script', 'cd src && rm -r x')).toMatchObject({
      command: ['bash', '-lc', 'cd src && rm -r x'],
      trusted: false,
      why: 'rm is not among the commands that only read',
      decisions: { untrusted, 'on-failure': other, 'on-request': other, never: other },
    });
  });

  it('reports that a program of the workspace is not taken unasked', () => {
    const home = openHome();
    const bin = join(home.work, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ls'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const { stdout } = run(['explain', '--json', '--cd', home.work, '--', 'ls'], { env });
    const { program } = JSON.parse(stdout);
    expect([program.path, program.unasked]).toEqual([join(bin, 'ls'), '/usr/bin/ls']);
  });

  it.each([
    ['model = 1', /^codex-rx explain: -c model=1: model is 1, expected a string/],
    [
      'environment_id=remote',
      /^codex-rx explain: -c environment_id=remote: environment .remote. not found in CODEX_EXEC_SERVER_URL/,
    ],
  ])('refuses what it cannot read in %j with one line', (setting, words) => {
    const { status, stdout, stderr } = run(['explain', '-c', setting, '--', 'ls']);
    expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 2, stdout: '', lines: 1 });
    expect(stderr).toMatch(words);
  });
});
