/** What the project of a thread sets: the defaults of its trust level, and the files `.codex/config.toml` of a project that the user trusts. */
import { dirname, join } from 'node:path';
import { BOUNDS, THREAD_SETTINGS } from '../../protocol/codex/settings';
import { ownOf } from '../../protocol/jsonrpc/json';
import { isWithin } from '../../streams/text/trim';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { dotted } from '../faults/errorText';
import { tried } from '../faults/tried';
import { getIn, hasMoreValues, isTable, type Layer, MAX_VALUES, type Toml, tableFrom, tableOf } from '../layer';
import { configFile, fileTable, readText, tomlLayer } from './fileLayer';
import { toSources } from './sources';

/** Source: Codex 0.142.0, defaults of a folder with a trust level. */
const DEFAULTS: Readonly<Record<string, Toml>> = {
  trusted: tableOf({ approval_policy: 'on-request', sandbox_mode: 'workspace-write' }),
  untrusted: tableOf({ approval_policy: 'untrusted' }),
};

/** Whether the user trusts the folder of a thread. */
type Trust = {
  /** The defaults of the level, just above the built-in ones; empty without a level. */
  layer: Layer;
  /** The folders of a trusted project, from the one whose level it is down to that of the thread; empty for any other. */
  folders: readonly string[];
};

/**
 * The trust level `projects."FOLDER".trust_level` of the folder of a thread, or of the root of its project. A call cannot change it.
 * @param own the layers of the operator: the file and the flags
 */
export const trustOf = (deps: ConfigDeps, cwd: string, own: readonly Layer[]): Trust => {
  const { table, placeOf } = toSources([[{ path: [], value: tableOf(), where: () => '', folder: cwd }], ...own]);
  const { projects, project_root_markers: markers = ['.git'] } = table;
  if (!isTable(projects)) return { layer: [], folders: [] };
  const isRoot = (at: string) => [markers].flat().some((marker) => isThere(deps, join(at, String(marker))));
  const isRepository = (at: string) => deps.isDirectory(join(at, '.git'));
  for (const from of [cwd, deps.realpath(cwd)])
    for (const root of [from, nearest(from, isRoot), nearest(from, isRepository)]) {
      const path = ['projects', root, 'trust_level'];
      const level = getIn(table, path);
      const value = typeof level === 'string' ? ownOf(DEFAULTS, level) : undefined;
      if (value === undefined) continue;
      const layer = [{ path: [], value, where: () => placeOf(path).where(path), folder: cwd }];
      return { layer, folders: value === DEFAULTS.trusted ? foldersDown(root, from) : [] };
    }
  return { layer: [], folders: [] };
};

const isThere = ({ isDirectory, readFile }: ConfigDeps, path: string): boolean =>
  isDirectory(path) || tried(() => readText(readFile, path)).value !== undefined;

/** The nearest such folder above, or the folder itself if there is none. */
const nearest = (folder: string, is: (folder: string) => boolean): string => {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (is(at)) return at;
  return folder;
};

/** The folders from the root of a repository down to a folder in it. */
export const repositoryFolders = ({ isDirectory }: Pick<ConfigDeps, 'isDirectory'>, folder: string): string[] =>
  foldersDown(
    nearest(folder, (at) => isDirectory(join(at, '.git'))),
    folder,
  );

const foldersDown = (root: string, folder: string): string[] =>
  root === folder ? [root] : [...foldersDown(root, dirname(folder)), folder];

/** Keys of the operator alone. Source: Codex 0.171.0, its warning; the second line: ours, and what decides about trust. */
const OF_USER: readonly string[] = [
  ...'openai_base_url chatgpt_base_url model_provider model_providers notify profile profiles otel'.split(' '),
  ...'nats thread_store environment_id allowed_environments projects preferred_auth_method'.split(' '),
  ...'responses_originator_header_internal_override features'.split(' '),
  ...BOUNDS.map((name) => THREAD_SETTINGS[name].key.name), // what a turn may cost
];

/** What a file below the root may set: a command in the sandbox of the root can write that file, and this starts no program and allows nothing. */
const BELOW_ROOT: readonly string[] = [
  ...'model model_context_window model_max_output_tokens model_auto_compact_token_limit model_verbosity'.split(' '),
  ...'model_reasoning_effort model_reasoning_summary model_supports_reasoning_summaries service_tier'.split(' '),
  ...'developer_instructions compact_prompt project_doc_max_bytes project_doc_fallback_filenames'.split(' '),
  ...'hide_agent_reasoning show_raw_agent_reasoning'.split(' '),
];

/**
 * A layer for each file of a trusted project, from its root down: above config.toml, below the flags. Throws ConfigError for a file that cannot be read.
 * Source: Codex 0.171.0, in runs. Stricter here: below the root only some keys count; under `--lock` only the project of the server does.
 */
export const projectLayers = (deps: ConfigDeps, projects: readonly string[]): Layer[] =>
  projects.flatMap((folder): Layer[] => {
    const codexHome = join(folder, '.codex');
    if (deps.realpath(codexHome) === deps.realpath(deps.codexHome)) return [];
    const file = configFile(codexHome);
    const text = readText(deps.readFile, file);
    if (text !== undefined) checkSize(file, text);
    const [setting] = tomlLayer({ ...deps, codexHome, readFile: () => text }, file);
    if (setting === undefined || !isTable(setting.value)) return [];
    const [root = folder] = projects;
    const why = (key: string) => whyUnused(deps, { key, folder, root });
    const entries = Object.entries(setting.value);
    const unused = entries.flatMap(([key]) => {
      const reason = why(key);
      return reason === undefined ? [] : [`${setting.where([key])}: ${dotted([key])} has no effect: ${reason}`];
    });
    const used = entries.filter(([key]) => why(key) === undefined);
    const value = tableFrom(used);
    return [[{ ...setting, value, warnings: [...(setting.warnings ?? []), ...unused] }]];
  });

/** In characters. */
const MAX_CHARS = 262_144;

/** A command in the project may have written the file, and what reads it holds up the whole server. Throws ConfigError. */
const checkSize = (file: string, text: string): void => {
  const limit = (is: string): ConfigError =>
    new ConfigError(`${file}: it has more than ${is}; remove what is not needed, or do not trust the project`);
  if (text.length > MAX_CHARS) throw limit(`${MAX_CHARS} characters`);
  if (hasMoreValues(fileTable({ readFile: () => text }, file) ?? {}, MAX_VALUES)) throw limit(`${MAX_VALUES} values`);
};

type ProjectKey = { key: string; folder: string; root: string };

const whyUnused = ({ codexHome, cwd, limits }: ConfigDeps, { key, folder, root }: ProjectKey): string | undefined => {
  const remedy = `set it in ${configFile(codexHome)}`;
  if (OF_USER.includes(key)) return `a project may not set it; ${remedy}`;
  if (limits?.lock === true && !isWithin(root, cwd)) return `the flag --lock keeps to the project of ${cwd}; ${remedy}`;
  if (folder === root || BELOW_ROOT.includes(key)) return undefined;
  return `a command in the project can write this file; set it in ${configFile(join(root, '.codex'))}`;
};

/** The folders `.codex` of trusted projects in folders that a thread may write: what is in them starts programs in later threads. */
export const projectFilesIn = (
  { realpath, isDirectory }: Pick<ConfigDeps, 'realpath' | 'isDirectory'>,
  projects: { readonly [folder: string]: { trust_level?: string } },
  writable: readonly string[],
): string[] => {
  const roots = writable.map(realpath);
  return Object.entries(projects)
    .filter(([folder, { trust_level }]) => trust_level === 'trusted' && isDirectory(folder))
    .map(([folder]) => realpath(folder))
    .filter((folder) => roots.some((root) => root !== folder && isWithin(root, folder)))
    .map((folder) => join(folder, '.codex'));
};
