import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import * as node from 'node:module';
import { join } from 'node:path';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const START = join(__dirname, '../../../dist/start.cjs');
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
};

/** Runs a program of Node that starts codex-rx; gives what it wrote to stdout and stderr. */
const run = (program: string, { work, env }: Home = openHome()): string => {
  const how = {
    cwd: work,
    env: { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    input: `${JSON.stringify(INITIALIZE)}\n`,
  };
  return spawnSync(process.execPath, ['-e', program], { ...how, encoding: 'utf8' }).output.join('');
};

const starting = (...argv: string[]): string => `require(${JSON.stringify(START)}).start(${JSON.stringify(argv)});`;

/** The scripts that Node keeps the code of. */
const kept = ({ path }: Home): string[] => {
  const caches = join(path, '.cache/codex-rx');
  return existsSync(caches) ? readdirSync(caches, { recursive: true }).map(String) : [];
};

describe('start', () => {
  it.each([
    ['mcp-server', '"serverInfo"'],
    ['acp', '"id":1'],
  ])('lets Node keep the code of %s, and take it at the next start', (command, answer) => {
    const home = openHome();
    expect(run(starting(command), home)).toContain(answer);
    if ('enableCompileCache' in node) {
      expect(run(starting(command), home)).toMatch(/main\.cjs was accepted/);
    } else {
      expect(kept(home)).toEqual([]);
    }
  });

  it('keeps no code of another command, as the servers need other parts', () => {
    const home = openHome();
    for (const argv of [['--version'], ['--help'], ['tapes', '.'], ['mcp-server', '-h'], ['acp', '-h']])
      run(starting(...argv), home);
    expect(kept(home)).toEqual([]);
  });

  it.each([
    ['reads nothing of the program under a Node that is too old for it', 'v18.20.8', ['start.cjs']],
    ['reads the scripts that a command needs', process.version, ['start.cjs', 'main.cjs', 'line.cjs']],
  ])('%s', (_, version, scripts) => {
    const printing = `
      const { Module } = require('node:module');
      const compile = Module.prototype._compile;
      Module.prototype._compile = function (text, file, ...more) {
        console.log('compiled ' + require('node:path').basename(file));
        return compile.call(this, text, file, ...more);
      };
      Object.defineProperty(process, 'version', { value: ${JSON.stringify(version)} });`;
    const compiled = run(printing + starting('--version')).matchAll(/^compiled (.*)/gm);
    expect([...compiled].map(([, script]) => script)).toEqual(scripts);
  });
});
