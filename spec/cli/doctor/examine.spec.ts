import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { examine, toFinding } from '../../../src/cli/commands/doctor';
import type { Finding, Role } from '../../../src/cli/doctor/finding';
import { ConfigError } from '../../../src/settings/faults/configError';
import { type Given, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { marbles } from '../../support/marbles';
import { closeModels, startModel } from '../../support/servers/modelServer';

afterEach(closeModels);

afterAll(removeHomes);

/** A server that answers its first two requests. */
const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'tools/list' ? { tools: [{ name: 'codex' }] } : {};
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

const SCRIPTED =
  'model_provider = "scripted"\n[model_providers.scripted]\nname = "s"\nwire_api = "scripted"\nscript = "s.json"';

const examined = async (
  given: Given & { role?: Role; withoutMcp?: boolean },
  code = SERVER,
  spoil = (_: string) => {},
): Promise<Record<string, Finding>> => {
  const { wiring } = wired(given);
  const { processInfo, options, log } = wiring;
  spoil(processInfo.codexHome);
  const env = { PATH: process.env.PATH };
  const argv = [process.execPath, '-e', code];
  const machine = {
    processInfo: { ...processInfo, env, home: processInfo.codexHome, dist: '/opt/codex-rx/dist', platform: 'linux' },
    role: given.role ?? 'daemon',
  };
  const found$ = examine({ ...machine, options, log, argv, nats: [], withoutMcp: given.withoutMcp ?? false });
  const all = await lastValueFrom(found$.pipe(toArray()));
  return Object.fromEntries(all.map((one) => [one.check, one]));
};

const results = { a: { text: 'one' }, w: { state: 'warning', text: 'two', remedy: 'r', ms: 1 } } as const;

const findings = {
  A: { check: 'c', state: 'ok', text: 'one' },
  W: { check: 'c', state: 'warning', text: 'two', remedy: 'r', ms: 1 },
  F: { check: 'c', state: 'fault', text: 'broken' },
  C: { check: 'c', state: 'fault', text: 'bad key', remedy: expect.stringContaining('fix what is named') },
};

describe('examine', () => {
  it('names what is found, what is chosen, and the tools of a server that answers', async () => {
    const found = await examined({ toml: SCRIPTED, auth: { OPENAI_API_KEY: 'sk-secret' } });
    expect(Object.keys(found)).toEqual([
      ...['program', 'home', 'config', 'threads', 'login', 'engine', 'environment', 'sandbox', 'server'],
    ]);
    expect(found).toMatchObject({
      config: { state: 'ok', text: expect.stringContaining('provider scripted') },
      threads: { state: 'ok', text: expect.stringMatching(/^in .*\/sessions$/) },
      login: { state: 'ok', text: 'an API key, from auth.json' },
      engine: { state: 'ok', text: expect.stringContaining('native: the model provider scripted is scripted') },
      server: { state: 'ok', text: 'answers, with the tools codex', ms: expect.any(Number) },
    });
    expect(JSON.stringify(found)).not.toContain('sk-secret');
  });

  it.each<[Role, string[]]>([
    ['executor', ['program', 'home', 'config', 'sandbox']],
    ['watcher', ['program', 'home', 'config']],
  ])('asks of a machine that is only an %s for no engine and no login', async (role, checks) => {
    const found = await examined({ role });
    expect(Object.keys(found)).toEqual(checks);
    expect(Object.values(found).filter(({ state }) => state === 'fault')).toEqual([]);
  });

  it('reaches the server of the model if the native engine asks one', async () => {
    const { toml, requests, close } = await startModel(() => {});
    const there = await examined({ toml: `${toml}\n` });
    close();
    const gone = await examined({ toml });
    expect(there.model).toMatchObject({ state: 'warning', text: expect.stringContaining('/models answers 404') });
    expect(gone.model).toMatchObject({ state: 'fault', text: expect.stringContaining('is the model server running?') });
    expect(requests).toEqual([]);
  });

  it('examines the MCP servers of the configuration, and ends what it started', async () => {
    const { processInfo } = wired({}).wiring;
    const pidFile = join(processInfo.codexHome, 'pid');
    const code = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));${SERVER}`;
    const toml = `${SCRIPTED}\n[mcp_servers.one]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["-e", ${JSON.stringify(code)}]\n`;
    const found = await examined({ toml });
    expect(found.mcp).toMatchObject({ state: 'ok', text: 'one answers with 1 tool', ms: expect.any(Number) });
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
  });

  it('starts no MCP server if that is asked for', async () => {
    const found = await examined({ toml: `${SCRIPTED}\n[mcp_servers.one]\ncommand = "no-such"\n`, withoutMcp: true });
    expect(found).not.toHaveProperty('mcp');
  });

  it('names what does not work and what to do, and goes on with the next check', async () => {
    const found = await examined({ toml: 'model = 1' }, 'process.exit(3)', (home) =>
      writeFileSync(join(home, 'codex-rx'), ''),
    );
    expect(found).toMatchObject({
      home: { state: 'fault', text: expect.stringMatching(/codex-rx is not a folder/) },
      config: { state: 'fault', text: expect.stringContaining('model'), remedy: expect.stringMatching(/^fix what/) },
      engine: { state: 'warning', text: 'not examined', remedy: 'fix the configuration first' },
      sandbox: { state: 'warning', text: 'not examined', remedy: 'fix the configuration first' },
      login: { state: 'warning', remedy: expect.stringContaining('codex-rx login') },
      server: { state: 'fault' },
    });
  });
});

describe('toFinding', () => {
  it.each([
    ['names each result, which is ok unless it says otherwise', 'a-w|', 'A-W|', undefined],
    ['passes a check that finds nothing', '--|', '--|', undefined],
    ['makes an error a fault, behind what was found', 'a-#', 'A-(F|)', new Error('broken')],
    ['names the remedy where the configuration is at fault', '-#', '-(C|)', new ConfigError('bad key')],
  ])('%s', (_, result, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(toFinding('c', () => cold(result, results, error))).toBe(expected, findings);
    })(),
  );

  it(
    'makes what a check throws a fault',
    marbles(({ expectObservable }) => {
      const thrown$ = toFinding('c', () => {
        throw new Error('broken');
      });
      expectObservable(thrown$).toBe('(F|)', findings);
    }),
  );
});
