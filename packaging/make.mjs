/**
 * What the ecosystem reads about this package, made of `package.json`: `node packaging/make.mjs FOLDER` writes `codex-rx.mcpb`, by the official
 * packer, and `server.json` for the MCP registry, which has the hash of that bundle. With `--print` it only prints both manifests and the links.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
const PACKER = '@anthropic-ai/mcpb@2.1.2';
const { name, version, description, license, keywords, engines, repository, homepage, bugs } = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
);

/** At most as many characters as the registry takes. */
const SUMMARY = 'A Codex agent as MCP tools, with approvals; records and replays sessions';

/** The address of the repository, for browsers. */
const source = repository.url.replace(/^git\+|\.git$/g, '');

/** The name space of a host in the registry: `io.github.OWNER`, or the domain in reverse. */
const namespaceOf = ({ hostname, pathname }) =>
  hostname === 'github.com' ? `io.github.${pathname.split('/')[1]}` : hostname.split('.').reverse().join('.');

/** The entry that every client takes, with the command in `PATH`. */
const entry = { command: name, args: ['mcp-server'] };

const links = {
  vscode: `https://insiders.vscode.dev/redirect/mcp/install?name=codex&config=${encodeURIComponent(JSON.stringify(entry))}`,
  cursor: `https://cursor.com/en/install-mcp?name=codex&config=${encodeURIComponent(btoa(JSON.stringify(entry)))}`,
};

/** What the client puts in the place of a setting that its user gave. */
const given = (key) => `\${user_config.${key}}`;

/** The manifest of the bundle for Claude Desktop and others. */
const manifest = {
  manifest_version: '0.3',
  name,
  display_name: 'codex-rx',
  version,
  description: SUMMARY,
  long_description: description,
  author: { name: 'The authors of codex-rx' },
  repository: { type: 'git', url: source },
  homepage,
  support: bugs.url,
  license,
  keywords,
  server: {
    type: 'node',
    entry_point: `bin/${name}.js`,
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/bin/${name}.js`, 'mcp-server', '-C', given('folder')],
      env: { OPENAI_API_KEY: given('key') },
    },
  },
  tools: [
    { name: 'codex', description: 'Start a Codex agent on a task.' },
    { name: 'codex-reply', description: 'Continue a thread of that agent.' },
  ],
  compatibility: { platforms: ['darwin', 'linux'], runtimes: { node: engines.node } },
  user_config: {
    folder: { type: 'directory', title: 'Folder', description: 'Where the agent works', required: true },
    key: {
      type: 'string',
      title: 'OpenAI API key',
      description: 'Leave it empty if Codex, or codex-rx login, is logged in on this machine',
      sensitive: true,
      required: false,
      default: '',
    },
  },
};

/** The entry of the MCP registry; a client checks the hash before it runs the bundle. */
const serverJson = (fileSha256) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `${namespaceOf(new URL(source))}/${name}`,
  title: 'codex-rx',
  description: SUMMARY,
  version,
  websiteUrl: homepage,
  repository: { url: source, source: new URL(source).hostname.split('.').at(-2) },
  packages: [
    {
      registryType: 'mcpb',
      identifier: `${source}/releases/download/v${version}/${name}.mcpb`,
      version,
      fileSha256,
      transport: { type: 'stdio' },
    },
  ],
});

const toText = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Packs what the program needs: neither types nor the entries of the package for tests. */
const pack = (bundle) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bundle-'));
  try {
    for (const part of ['bin', 'dist', 'package.json', 'LICENSE', 'README.md'])
      cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
    for (const part of ['dist/types', 'dist/testing.cjs'])
      rmSync(path.join(folder, part), { recursive: true, force: true });
    writeFileSync(path.join(folder, 'manifest.json'), toText(manifest));
    execFileSync('npx', ['--yes', PACKER, 'pack', folder, bundle], { stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('Name the folder to write into: node packaging/make.mjs FOLDER');
if (out === '--print') {
  process.stdout.write(toText({ manifest, server: serverJson('0'.repeat(64)), links }));
} else {
  mkdirSync(out, { recursive: true });
  const bundle = path.resolve(out, `${name}.mcpb`);
  pack(bundle);
  const hash = createHash('sha256').update(readFileSync(bundle)).digest('hex');
  writeFileSync(path.join(out, 'server.json'), toText(serverJson(hash)));
  process.stdout.write(`${hash}  ${bundle}\n`);
}
