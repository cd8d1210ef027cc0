/** Owns the programs of others: installed from the npm registry when a spec first needs them, into a folder that stays. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.CODEX_RX_PEERS ?? join(tmpdir(), 'codex-rx-peers');

/** The Inspector needs a newer Node than this project does, so it brings one along. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const PEERS = {
  'codex-0.28.0': ['@openai/codex@0.28.0'],
  'codex-0.142.0': ['@openai/codex@0.142.0'],
  'codex-0.169.0': ['@openai/codex@0.169.0'],
  'codex-0.171.0': ['@openai/codex@0.171.0'],
  everything: ['@modelcontextprotocol/server-everything@2026.8.31'],
  modernServer: ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/node@2.1.2'],
  languageServer: ['typescript-language-server@6.0.2', 'typescript@5.9'],
  memory: ['@modelcontextprotocol/server-memory@2026.8.31'],
  filesystem: ['@modelcontextprotocol/server-filesystem@2026.8.31'],
  harValidator: ['har-validator@5.1.5'],
  mcpb: ['@anthropic-ai/mcpb@2.1.2'],
  traceReceiver: ['@genkit-ai/telemetry-server@1.43.0'],
  inspector: ['@modelcontextprotocol/inspector@2.12.0', `${NODE}@24`],
};

export type PeerName = keyof typeof PEERS;

/** The newest release of Codex that was tried; newer settings are held against it. */
export const NEWEST_CODEX = 'codex-0.171.0' satisfies PeerName;

export const PEER_NAMES = Object.keys(PEERS) as PeerName[];

/** How long an installation may take; some are 100 MB to fetch. */
export const INSTALL_MS = 240_000;

/** The folder of executables of a peer. Throws, and so fails the spec, when the peer cannot be installed. */
export const installed = (name: PeerName): string => {
  const folder = join(CACHE, name);
  if (!isInstalled(folder)) install(name, folder);
  return join(folder, 'node_modules', '.bin');
};

const isInstalled = (folder: string): boolean => existsSync(join(folder, 'installed'));

/** Into a folder of its own, which is then renamed: specs that need the same peer may run at once, and be interrupted. */
const install = (name: PeerName, folder: string): void => {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  writeFileSync(join(draft, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...PEERS[name]];
  try {
    execFileSync('npm', args, { cwd: draft, encoding: 'utf8', stdio: 'pipe', timeout: INSTALL_MS - 10_000 });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`The peer ${name} could not be installed: npm ${args.join(' ')}\n${stderr || message}`);
  }
  writeFileSync(join(draft, 'installed'), PEERS[name].join('\n'));
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!isInstalled(folder)) throw error; // else another spec was first
  }
};
