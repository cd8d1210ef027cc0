/** Specs that are written from a tape, in a new project that installs this package as it is published: they run, and their types are complete. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Home, openHome, removeHomes } from '../../support/home';
import { closePrograms, startProgram } from '../../support/servers/httpPrograms';
import { INSTALL_MS } from '../installed';

jest.setTimeout(120_000);

const ROOT = join(__dirname, '../../..');
const RUNNERS = ['jest@30', 'vitest@4', 'mocha@12', 'typescript@5.9', '@types/jest@30', '@types/node@20'];

/** Longer than a runner, or a session, waits by default. */
const SLOW_MS = 5_600;

const SERVER = `
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/call') setTimeout(answer, ${SLOW_MS}, id, { content: [{ type: 'text', text: 'slow' }] });
});
`;

const CLIENT = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c' } },
  },
  { method: 'notifications/initialized' },
  { id: 1, method: 'tools/call', params: { name: 'work' } },
];

/** Uses each matcher, once as it is typed and once with a letter too many, which must be an error. */
const typed = (runner: string, from: string) => `
${runner === '' ? '' : `import { expect } from '${runner}';`}
import { answer, marbleMatchers, request, session, stdio } from '${from}';
const phase = { client: 'p', server: '-P', values: { p: request('ping'), P: answer('p', {}) } };
expect.extend(marbleMatchers);
export const played: Promise<void> = session(stdio(['x']), { limitMs: 5 }).plays(phase);
export const matched = async () => {
  await expect(stdio(['x'])).toPlay(phase);
  expect(stdio(['x'])).toPlayInTime(phase);
  expect([]).toMatchMarbles([]);
  // @ts-expect-error
  expect([]).toMatchMarble([]);
  // @ts-expect-error
  await expect(stdio(['x'])).toPlay({ client: 1 });
};
`;

let home: Home;
const run = (program: string, ...args: string[]) =>
  startProgram(home, join(home.work, 'node_modules/.bin', program), args).ended;

beforeAll(() => {
  home = openHome();
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: INSTALL_MS - 10_000 });
  const tarball = npm(ROOT, 'pack', '--ignore-scripts', '--silent', '--pack-destination', home.path).trim();
  home.write('work/package.json', { private: true });
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  npm(home.work, 'install', ...flags, join(home.path, tarball.split('\n').at(-1) ?? ''), ...RUNNERS);
  home.write('work/server.js', SERVER);
  home.write('work/client.txt', CLIENT.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
}, INSTALL_MS);
afterAll(async () => {
  closePrograms();
  await removeHomes();
});

describe('a spec that is written from a tape', () => {
  it('runs with each runner without a flag, as CommonJS and as an ES module, even if the server was slow', async () => {
    const client = `{ cat client.txt; sleep ${SLOW_MS / 1_000 + 1.5}; }`;
    const recorder = startProgram(home, 'sh', [
      '-c',
      `${client} | npx codex-rx record -o tape.jsonl -- node server.js`,
    ]);
    expect((await recorder.ended).code).toBe(0);
    const files = [
      ['node', 'n.test.mjs', 'n.test.cjs'],
      ['jest', 'j.test.cjs', 'j.test.js'],
      ['vitest', 'v.test.mjs'],
      ['mocha', 'm.spec.cjs', 'm.spec.mjs'],
    ];
    for (const [runner = '', ...names] of files)
      for (const name of names) {
        const written = await run('codex-rx', 'marbles', 'tape.jsonl', '--trust-tape', '--runner', runner, '-o', name);
        expect([name, written.code]).toEqual([name, 0]);
      }
    const runs = await Promise.all([
      startProgram(home, process.execPath, ['--test', 'n.test.mjs', 'n.test.cjs']).ended,
      run('jest', 'j.test.cjs', 'j.test.js'),
      run('vitest', 'run', 'v.test.mjs'),
      run('mocha', 'm.spec.cjs', 'm.spec.mjs'),
    ]);
    expect(runs.map(({ code, stdout, stderr }) => (code === 0 ? 0 : stdout + stderr))).toEqual([0, 0, 0, 0]);
  });

  it('has types in each resolution of modules', async () => {
    home.write('work/globals.ts', typed('', 'codex-rx/testing'));
    home.write('work/imported.ts', typed('@jest/globals', 'codex-rx/testing/jest-globals'));
    home.write('work/vitest.ts', typed('vitest', 'codex-rx/testing/vitest'));
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--esModuleInterop', '--skipLibCheck'];
    for (const [resolution, module] of [
      ['node10', 'commonjs'],
      ['nodenext', 'nodenext'],
      ['bundler', 'esnext'],
    ] as const) {
      const found = ['--moduleResolution', resolution, '--module', module];
      const files = ['globals.ts', 'imported.ts', 'vitest.ts'];
      const { stdout } = await run('tsc', ...options, ...found, '--types', 'node,jest', ...files);
      expect([resolution, stdout]).toEqual([resolution, '']);
    }
  });
});
