/** Finds an installed Codex, in a form that needs neither a shell nor a PATH of its own. */
import { dirname, join, resolve } from 'node:path';

export type FindDeps = {
  /** The path that the user named; takes precedence over everything else. */
  option?: string;
  env: Record<string, string | undefined>;
  platform: string;
  arch: string;
  /** The running Node, for the launcher that npm installs. */
  node: string;
  /** True for an existing file. */
  isFile: (path: string) => boolean;
  /** True for an existing folder. */
  isFolder: (path: string) => boolean;
  /** Follows links. */
  realpath: (path: string) => string;
};

/** An installed Codex, or the places that were searched in vain. */
export type Found =
  | {
      path: string;
      /** The start of a command line. */
      argv: readonly string[];
      /** To put before PATH: Codex has its own tools there. */
      folders: readonly string[];
    }
  | {
      looked: readonly string[];
      /** The user named the place. */
      isNamed: boolean;
      /** A Codex that is there but may not be taken unasked. */
      leftOut?: string;
    };

/** Source: `@openai/codex`, from 0.28.0 to 0.169.0: names of the folders in `vendor`. */
const TRIPLES: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

/** Looks at the path that was named, then at CODEX_BIN, then along PATH, then where npm installs globally. */
export const findCodex = (deps: FindDeps): Found => {
  const { option, env, isFile } = deps;
  const named = option || env.CODEX_BIN;
  const places = named ? [resolve(named)] : [...alongPath(deps), ...ofNpm(deps)];
  const path = places.find(isFile);
  if (path !== undefined) return { path, ...startOf(deps, path) };
  return named ? { looked: places, isNamed: true } : { looked: [...new Set(places.map(dirname))], isNamed: false };
};

const namesOf = (platform: string): string[] => (platform === 'win32' ? ['codex.exe', 'codex.cmd'] : ['codex']);

const alongPath = ({ env, platform }: FindDeps): string[] =>
  (env.PATH ?? '')
    .split(platform === 'win32' ? ';' : ':')
    .filter(Boolean)
    .concat(platform === 'win32' ? [] : USUAL)
    .flatMap((folder) => namesOf(platform).map((name) => join(folder, name)));

/** A program that was not started from a shell often has a minimal PATH. */
const USUAL = ['/opt/homebrew/bin', '/usr/local/bin'];

/** The places of commands of global packages: next to Node, or in the configured prefix. */
const ofNpm = ({ env, platform, node }: FindDeps): string[] => {
  const prefixes = [
    env.npm_config_prefix,
    env.NPM_CONFIG_PREFIX,
    env.APPDATA && join(env.APPDATA, 'npm'),
    dirname(dirname(node)),
  ];
  return prefixes
    .filter((prefix): prefix is string => Boolean(prefix))
    .flatMap((prefix) => namesOf(platform).map((name) => join(prefix, platform === 'win32' ? '' : 'bin', name)));
};

/** npm's launcher is a script, and its shim on Windows a batch file; the program behind them can be started directly. */
const startOf = (deps: FindDeps, path: string): { argv: string[]; folders: string[] } => {
  const script = launcherOf(deps, path);
  if (script === undefined) return { argv: [path], folders: [] };
  const program = nativeOf(deps, script);
  if (program === undefined) return { argv: [deps.node, script], folders: [] };
  const vendor = dirname(dirname(program));
  return { argv: [program], folders: ['codex-path', 'path'].map((name) => join(vendor, name)).filter(deps.isFolder) };
};

const launcherOf = ({ isFile, realpath }: FindDeps, path: string): string | undefined => {
  const real = realpath(path);
  if (/\.[cm]?js$/.test(real)) return real;
  const script = join(dirname(path), 'node_modules', '@openai', 'codex', 'bin', 'codex.js');
  return /\.cmd$/i.test(path) && isFile(script) ? script : undefined;
};

const nativeOf = ({ platform, arch, isFile }: FindDeps, script: string): string | undefined => {
  const triple = TRIPLES[`${platform}-${arch}`];
  if (triple === undefined) return undefined;
  const own = resolve(dirname(script), '..');
  const name = platform === 'win32' ? 'codex.exe' : 'codex';
  const packages = [join(own, 'node_modules', '@openai'), dirname(own)].map((folder) =>
    join(folder, `codex-${platform}-${arch}`),
  );
  return [...packages, own]
    .flatMap((folder) => ['bin', 'codex'].map((inner) => join(folder, 'vendor', triple, inner, name)))
    .find(isFile);
};
