/** Splits the sources of the program into pieces, ES modules: those that a start needs, and those that `require` loads later. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { lateBuiltins } from './lateBuiltins.mjs';
import { jsoncParser, root, rxjs, rxjsTesting } from './root.mjs';
import { sourceFile } from './sourceFile.mjs';

/** The grammar's runtime evaluates what it is made to; it is the only code that does. */
export const QUIET = { logLevel: 'warning', logOverride: { 'direct-eval': 'silent' } };

/** The piece with the program's entry. */
export const MAIN = 'cli/main.js';

/**
 * The sources that each later script loads, in the order in which a server needs the scripts; `rest` has those that are not named here. A piece that several
 * scripts need is in the first of them.
 */
const LATER = {
  line: ['src/cli/readArguments.ts'],
  checks: [
    'src/io/log/redactText.ts',
    'src/io/log/secretValues.ts',
    'src/io/log/toPlain.ts',
    'src/protocol/jsonrpc/checkParams.ts',
  ],
  turn: [
    'src/agent/native/modelLogin.ts',
    'src/agent/native/nativeTools.ts',
    'src/agent/turns/rejection.ts',
    'src/app/engines/engines.ts',
    'src/app/openThreads.ts',
    'src/io/disk/lifeSocket.ts',
    'src/protocol/mcp/params.ts',
    'src/server/faces/tools.ts',
    'src/server/mcp/methods/addedTools.ts',
    'src/server/mcp/methods/callTool.ts',
    'src/settings/loadConfig.ts',
  ],
  commands: [
    'src/agent/safety/loadGrammar.ts',
    'src/executor/localPatch/patchHere.ts',
    'src/executor/patch/toTurnDiff.ts',
    'src/executor/sandbox/wrapper/findWrapper.ts',
    'src/executor/sandbox/wrapper/wrapForSandbox.ts',
  ],
  servers: ['src/agent/native/configuredToolServers.ts'],
  methods: [
    'src/app/codexHost.ts',
    'src/cli/commands/acp.ts',
    'src/server/acp/acpServer.ts',
    'src/server/codex/index.ts',
  ],
  more: [
    'src/agent/appServer/appServerEngine.ts',
    'src/agent/native/notifyHere.ts',
    'src/agent/native/toolServerByUrl.ts',
    'src/app/openLibrary.ts',
    'src/app/openTasks.ts',
    'src/app/tapes/openTapeFile.ts',
    'src/io/disk/namedHere.ts',
    'src/server/faces/events0153.ts',
    'src/server/host/tapesHere.ts',
    'src/tapes/files/openTape.ts',
    'src/tapes/format/tape.ts',
    'src/tapes/seams/record.ts',
  ],
};

/** Packages that only some commands need stay outside and are loaded when needed. */
const PACKAGES = [
  '@lydell/node-pty',
  '@nats-io/jetstream',
  '@nats-io/kv',
  '@nats-io/transport-node',
  'http-proxy-agent',
  'https-proxy-agent',
  'junit-report-builder',
  'node-pty',
  'winston',
  'yargs',
  'ws',
];

/**
 * Writes the pieces into a folder. `scripts` lists those of each script, but for `rest`, which has the others; `later` maps the id of each `require` to the
 * piece of the source that it loads later.
 */
export const splitSources = async (folder) => {
  const sources = lazySources();
  const { metafile } = await build({
    ...{ entryPoints: ['src/cli/main.ts', ...sources], outbase: 'src', outdir: folder, absWorkingDir: root },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', ...QUIET },
    ...{
      alias: { 'jsonc-parser': jsoncParser, rxjs, 'rxjs/testing': rxjsTesting },
      external: PACKAGES,
      metafile: true,
      plugins: [laterSources, lateBuiltins],
    },
    define: { 'import.meta.url': '__filename' }, // yargs asks for it, in a format that has none
  });
  const nameOf = (file) => path.relative(folder, path.resolve(root, file));
  const imports = new Map(
    Object.entries(metafile.outputs).map(([file, { imports }]) => [
      nameOf(file),
      imports.filter(({ external }) => !external).map(({ path: to }) => nameOf(to)),
    ]),
  );
  const exportsOf = new Map(Object.entries(metafile.outputs).map(([file, { exports }]) => [nameOf(file), exports]));
  const later = Object.fromEntries(sources.map((source) => [idOf(source), pieceOf(source)]));
  const scripts = { main: reachable(imports, [MAIN]) };
  for (const [name, entries] of Object.entries(LATER)) {
    const before = Object.values(scripts).flat();
    scripts[name] = reachable(imports, entries.map(pieceOf)).filter((piece) => !before.includes(piece));
  }
  return { folder, scripts, later, exportsOf, packages: PACKAGES, inputs: Object.keys(metafile.inputs) };
};

/** The pieces that the given ones need before they run, including themselves. */
const reachable = (imports, from) => {
  const found = new Set(from);
  for (const piece of found) for (const next of imports.get(piece)) found.add(next); // a Set also walks what is added
  return [...found];
};

/** The script that holds a source, and the source's name in it. */
const idOf = (source) => {
  const script = Object.keys(LATER).find((name) => LATER[name].includes(source));
  return `${script ?? 'rest'}:${source}`;
};

const pieceOf = (source) => path.relative('src', source).replace(/\.ts$/, '.js');

/** The source that a relative `require` names, by its path from the root. */
const sourceOf = (folder, to) => path.relative(root, sourceFile(folder, to));

/** The sources that the program loads by `require`. */
const lazySources = () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const full = path.join(root, 'src', file);
    const names = [...readFileSync(full, 'utf8').matchAll(/\brequire\('(\.[^']+)'\)/g)];
    return names.map(([, to]) => sourceOf(path.dirname(full), to));
  });
  return [...new Set(found)].sort();
};

/** Leaves these sources out of the piece that loads them. */
const laterSources = {
  name: 'sources that are loaded later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, importer, path: to, resolveDir }) =>
      kind === 'require-call' && !importer.includes('node_modules')
        ? { path: idOf(sourceOf(resolveDir, to)), external: true }
        : undefined,
    ),
};
