/** Owns which servers stand beside the daemon, and how each is started. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from './program.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** Splits a command line into words; quotes hold words together. */
const words = (command) =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare);

const nodeServer = (name, file) => ({ name, argv: [process.execPath, path.join(here, file)] });

const resolves = (name) => {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false; // the package is not installed: its column is left out
  }
};

/** `codex mcp` was renamed to `codex mcp-server` in 0.43. */
const codex = (version, binary) => {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const old = major === '0' && Number(minor) < 43;
  return { name: `codex-${version}`, argv: [binary, old ? 'mcp' : 'mcp-server'] };
};

const TRIPLES = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/** The binary itself, not its Node launcher: that one adds a process and 50 ms. */
const inPackage = (scope) => {
  const manifest = path.join(scope, 'codex', 'package.json');
  if (!existsSync(manifest)) return [];
  const platform = `${process.platform}-${process.arch}`;
  const triple = TRIPLES[platform] ?? 'unknown';
  const vendor = path.join(scope, `codex-${platform}`, 'vendor', triple);
  const places = [
    path.join(scope, 'codex', 'bin', `codex-${triple}`),
    path.join(vendor, 'bin', 'codex'),
    path.join(vendor, 'codex', 'codex'),
    path.join(scope, 'codex', 'vendor', triple, 'codex', 'codex'),
  ];
  const binary = places.find((place) => existsSync(place));
  return binary === undefined ? [] : [codex(JSON.parse(readFileSync(manifest, 'utf8')).version, binary)];
};

const inFolder = (folder) => {
  if (folder === undefined) return [];
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inner.map(({ name }) => path.join(folder, name))]
    .map((place) => path.join(path.resolve(place), 'node_modules', '@openai'))
    .flatMap(inPackage);
};

const inEnvironment = (env) => [
  ...(env.CODEX_0_28 ? [codex('0.28.0', env.CODEX_0_28)] : []),
  ...(env.CODEX_0_142 ? [codex('0.142.0', env.CODEX_0_142)] : []),
];

/** The daemon first, then the floor, the SDKs, real codex binaries, and what the command line names. */
export const findServers = ({ peers, servers, others }, env) => {
  const all = [
    { name: 'codex-rx', argv: commandLine('mcp-server') },
    nodeServer('floor', 'floor.mjs'),
    ...(resolves('@modelcontextprotocol/sdk/server/mcp.js') ? [nodeServer('sdk-v1', 'servers/sdk1.mjs')] : []),
    ...(resolves('@modelcontextprotocol/server') ? [nodeServer('sdk-v2', 'servers/sdk2.mjs')] : []),
    ...inEnvironment(env),
    ...inFolder(peers),
    ...others.map(({ name, command }) => ({ name, argv: words(command) })),
  ];
  const once = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
  return servers === undefined ? once : once.filter(({ name }) => servers.includes(name));
};
