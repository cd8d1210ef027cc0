/** Attacks the promise that no program of the project around the workspace starts unasked, when PATH names its folders, as activated environments do. */
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NEVER } from 'rxjs';
import { installedCodex } from '../../src/agent/appServer/installedCodex';
import { serversHere } from '../../src/agent/native/configuredToolServers';
import { toolDeps } from '../../src/agent/native/nativeTools';
import { notifyHere } from '../../src/agent/native/notifyHere';
import type { ToolServerSpec } from '../../src/agent/toolServers/toolServer';
import { configureOf } from '../../src/agent/wiring/wiring';
import type { Backend } from '../../src/executor/backend';
import type { ProcessSpec } from '../../src/protocol/exec/process';
import { wired } from '../agent/wiring/wiring';
import { openHome, removeHomes } from '../support/home';

afterAll(removeHomes);

/** Where the project keeps a program, and where the server works. */
const PLACES: readonly (readonly [bin: string, workspace: string, repository: string])[] = [
  ['.venv/bin', 'packages/a', '.git/HEAD'],
  ['tools/bin', 'packages/a', '.git/HEAD'],
  ['tools/bin', 'packages/a', '.jj'],
  ['tools', 'packages/deep/er/a', '.git/HEAD'],
  ['node_modules/.bin', 'packages/a', 'none'],
  ['.venv/bin', 'packages/a', 'none'],
  ['.direnv/python/bin', 'packages/a', 'none'],
];

describe('a program of the project around the workspace', () => {
  it.each(PLACES)('in %s is no installed Codex of a server in %s (repository: %s)', async (...place) => {
    const { wiring, program } = await project('codex', place);
    expect(installedCodex(wiring)()).toMatchObject({ isNamed: false, leftOut: program });
  });

  it.each(PLACES)('in %s is no MCP server of a thread in %s (repository: %s)', async (...place) => {
    const { wiring, workspace } = await project('server', place);
    const config = configureOf(wiring)({ cwd: workspace });
    const { specsOf, open } = serversHere(wiring, RECORDING);
    const spec = specsOf(config).s as ToolServerSpec;
    expect(spec.env).not.toHaveProperty('PATH'); // nothing is left of it
    expect(() => open('s', spec)).toThrow('PATH finds its command only in the workspace');
    expect(started).toEqual([]);
  });

  it.each(PLACES)('in %s is no notify of a thread in %s (repository: %s)', async (...place) => {
    const { wiring, workspace, logged } = await project('tell', place);
    notifyHere(wiring)?.({ argv: ['tell'], workspace });
    expect(logged).toEqual([['the program of notify could not be run', expect.objectContaining({ program: 'tell' })]]);
  });

  it.each(PLACES)('in %s is no reader in %s that runs unasked (repository: %s)', async (...place) => {
    const { wiring, workspace, bin } = await project('ls', place);
    const { workspaceProgram, trustedPath } = toolDeps(wiring, RECORDING);
    expect(workspaceProgram(['ls'], bin, [workspace])).toBe('ls');
    expect(trustedPath(bin, [workspace])).toBe('');
  });

  it('is a program like any other next to the placeholder of a sandbox, which is no repository', async () => {
    const { wiring, program } = await project('codex', ['tools/bin', 'packages/a', '.git']);
    expect(installedCodex(wiring)()).toMatchObject({ path: program });
  });

  it('is none behind a link to the workspace, or to its own folder', async () => {
    const { wiring, program, workspace, home } = await project('codex', ['tools', 'packages/a', '.git/HEAD']);
    symlinkSync(workspace, join(home, 'work-link'));
    symlinkSync(dirname(program), join(home, 'bin-link'));
    const env = { PATH: join(home, 'bin-link') };
    const processInfo = { ...wiring.processInfo, cwd: join(home, 'work-link'), env };
    expect(installedCodex({ ...wiring, processInfo })()).toMatchObject({ isNamed: false });
  });

  it('is not trusted because a variable calls the project the home', async () => {
    const { wiring, program, repo } = await project('codex', ['.venv/bin', 'packages/a', '.git/HEAD']);
    const processInfo = { ...wiring.processInfo, home: repo, systemHome: openHome().path };
    expect(installedCodex({ ...wiring, processInfo })()).toMatchObject({ leftOut: program });
  });
});

const started: ProcessSpec[] = [];

const RECORDING: Backend = {
  start: (spec) => {
    started.push(spec);
    return NEVER;
  },
};

/** A project with a program of that name, which PATH finds before all others, and a server that works in a folder of it. */
const project = async (name: string, [folder, work, repository]: readonly [string, string, string]) => {
  const home = realpathSync(openHome().path);
  const repo = join(home, 'code/repo');
  const [bin, workspace] = [join(repo, folder), join(repo, work)];
  for (const path of [bin, workspace, join(repo, repository)]) mkdirSync(path, { recursive: true });
  const program = join(bin, name);
  await writeFile(program, `#!/bin/sh\ntouch ${join(home, 'RAN')}\n`);
  await chmod(program, 0o755);
  const { wiring, logged } = wired({
    options: { codex: undefined },
    toml: '[mcp_servers.s]\ncommand = "server"',
    processInfo: { cwd: workspace, home, systemHome: home, env: { PATH: bin }, node: '/no/bin/node' },
  });
  expect(existsSync(join(home, 'RAN'))).toBe(false);
  return { wiring, logged, home, repo, bin, program, workspace };
};
