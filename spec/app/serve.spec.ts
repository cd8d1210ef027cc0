import { PassThrough } from 'node:stream';
import { lastValueFrom, NEVER } from 'rxjs';

/** What is too slow to load at the start of a server. */
const SLOW = ['smol-toml', 'web-tree-sitter', 'winston', 'ws', 'yargs'];

const processInfo = {
  env: {},
  cwd: '/',
  codexHome: '/nowhere',
  dist: '/nowhere',
  node: '/nowhere',
  platform: 'linux',
  arch: 'x64',
  version: '1',
};
const options = {
  engine: 'auto',
  tape: { speed: 'max', match: 'strict' },
  overrides: [],
  face: 'union',
  events: 'auto',
  threadIdInText: 'auto',
  tools: 'codex',
  askTimeoutMs: 1_000,
  turnTimeoutMs: 1_000,
  modelTimeoutMs: 1_000,
} as const;

const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}\n';

describe('serve', () => {
  it('answers initialize before it has loaded any parser', async () => {
    const isLoaded = jest.fn();
    const { serve, createLog } = await new Promise<
      typeof import('../../src/app/serve') & typeof import('../../src/io/log/createLog')
    >((resolve) => {
      jest.isolateModules(() => {
        for (const name of SLOW) {
          jest.doMock(name, () => {
            isLoaded(name);
            return jest.requireActual(name);
          });
        }
        resolve({ ...require('../../src/app/serve'), ...require('../../src/io/log/createLog') });
      });
    });
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const log = createLog({ level: 'warning', stderr, secrets: () => [] });
    stdin.end(initialize);
    const served$ = serve({ stdin, stdout, stop$: NEVER, log, processInfo }, options);
    await lastValueFrom(served$, { defaultValue: undefined });
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ id: 1, result: { serverInfo: { name: 'codex-rx' } } });
    expect(isLoaded).not.toHaveBeenCalled();
  });

  it('takes lines as shells of Windows write them: a byte order mark first, and CRLF', async () => {
    const { serve, createLog } = { ...require('../../src/app/serve'), ...require('../../src/io/log/createLog') };
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const log = createLog({ level: 'warning', stderr, secrets: () => [] });
    stdin.end(`\ufeff${initialize.trimEnd()}\r\n`);
    const served$ = serve({ stdin, stdout, stop$: NEVER, log, processInfo }, options);
    await lastValueFrom(served$, { defaultValue: undefined });
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ id: 1, result: { serverInfo: { name: 'codex-rx' } } });
  });
});
