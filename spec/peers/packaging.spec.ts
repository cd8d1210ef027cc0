/** What `packaging/make.mjs` makes, by the official packer. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INSTALL_MS, installed, NEWEST_CODEX } from './installed';

const ROOT = join(__dirname, '../..');
const out = mkdtempSync(join(tmpdir(), 'codex-rx-packaging-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, HOME: out }, timeout: 60_000 });

describe('the plugin', () => {
  it(
    'is installed by Codex, with its server',
    () => {
      const codex = join(installed(NEWEST_CODEX), 'codex');
      run(codex, 'plugin', 'marketplace', 'add', ROOT);
      run(codex, 'plugin', 'add', 'codex-rx@codex-rx');
      expect(run(codex, 'mcp', 'list')).toMatch(/^codex +codex-rx +mcp-server /m);
    },
    INSTALL_MS,
  );
});

describe('the bundle', () => {
  const bundle = join(out, 'codex-rx.mcpb');

  it(
    'is packed, valid, and named by its hash',
    () => {
      run(process.execPath, join(ROOT, 'packaging/make.mjs'), out);
      const mcpb = join(installed('mcpb'), 'mcpb');
      run(mcpb, 'unpack', bundle, join(out, 'unpacked'));
      expect(run(mcpb, 'validate', join(out, 'unpacked/manifest.json'))).toContain('passes');
      const { packages } = JSON.parse(readFileSync(join(out, 'server.json'), 'utf8'));
      const hash = createHash('sha256').update(readFileSync(bundle)).digest('hex');
      expect(packages).toEqual([expect.objectContaining({ fileSha256: hash, registryType: 'mcpb' })]);
    },
    INSTALL_MS,
  );

  it('serves the tools from where it was unpacked', () => {
    const { server } = JSON.parse(readFileSync(join(out, 'unpacked/manifest.json'), 'utf8'));
    const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
    const program = join(out, 'unpacked', server.entry_point);
    const answer = execFileSync(process.execPath, [program, 'mcp-server', '-C', out], { encoding: 'utf8', input });
    expect(JSON.parse(answer).result.tools.map(({ name }: { name: string }) => name)).toEqual(['codex', 'codex-reply']);
  });
});
