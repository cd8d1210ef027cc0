/** Finds the rules for commands: of the user, and the strict ones of a project that the user trusts; and hooks that may forbid something. */
import { join } from 'node:path';
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import type { Rules } from '../config';
import type { ConfigDeps } from '../deps';
import { tried } from '../faults/tried';
import { getIn } from '../layer';
import { readOfProject, readText } from '../layers/fileLayer';
import type { Sources } from '../layers/sources';
import { parseRules } from './parseRules';

type RulesDeps = Pick<ConfigDeps, 'codexHome' | 'readFile' | 'namesIn' | 'realpath'>;

/** The rules, and why some cannot be kept. */
type Found = {
  /** Undefined if there are none. */
  rules: Rules | undefined;
  faults: readonly string[];
  /** Rules that allow more than counts here. */
  warnings: readonly string[];
};

/** Looked for even if a folder cannot be listed, so that a folder that cannot be read is no folder without rules. */
const DEFAULT = 'default.rules';

/**
 * All rules for commands. Source: Codex 0.171.0, in runs: `rules/*.rules` of the Codex home, then those of `.codex` in each folder of a trusted project.
 * Stricter here: what a project's rules would allow does not count, because a command in its sandbox can write them.
 * @param projects folders of a trusted project, its root first; empty if it is not trusted
 */
export const readRules = (deps: RulesDeps, projects: readonly string[]): Found => {
  const [root] = projects;
  const own = readFolder(deps, deps.codexHome, readText);
  const inProjects = projects
    .map((folder) => join(folder, '.codex'))
    .filter((folder) => deps.realpath(folder) !== deps.realpath(deps.codexHome))
    .map((folder) => readFolder(deps, folder, readOfProject));
  const all = [own, ...inProjects];
  const strict = inProjects.flatMap(({ prefixes }) => prefixes.filter(({ decision }) => decision !== 'allow'));
  const prefixes = [...own.prefixes, ...strict];
  const hosts = all.flatMap(({ hosts }) => hosts);
  return {
    rules:
      prefixes.length === 0
        ? undefined
        : { prefixes, programs: own.programs, ...(root !== undefined && { repository: deps.realpath(root) }) },
    faults: [
      ...all.flatMap(({ faults }) => faults),
      ...hosts.filter(({ decision }) => decision !== 'allow').map(({ where, host }) => `${where}: ${noHosts(host)}`),
    ],
    warnings: [
      ...inProjects.flatMap(({ widens }) => widens).map((where) => `${where}: ${NOT_WIDER}`),
      ...hosts
        .filter(({ decision }) => decision === 'allow')
        .map(
          ({ where, host }) => `${where}: the network_rule for ${host} has no effect: hosts are not distinguished here`,
        ),
    ],
  };
};

const NOT_WIDER =
  'this rule of a project has no effect, because a project may only forbid commands or have you asked about them; to allow more, put it into the rules of the Codex home';

type Read = typeof readText;

const readFolder = (deps: RulesDeps, folder: string, read: Read) => {
  const tries = filesIn(deps, join(folder, 'rules')).map((file) => tried(() => parseFile(deps, file, read)));
  const files = tries.flatMap(({ value }) => value ?? []);
  return {
    prefixes: files.flatMap(({ prefixes }) => prefixes),
    programs: Object.assign({}, ...files.map(({ programs }) => programs)),
    hosts: files.flatMap(({ hosts }) => hosts),
    widens: files.flatMap(({ widens }) => widens),
    faults: tries.flatMap(({ faults }) => faults),
  };
};

const noHosts = (host: string): string =>
  `the network_rule for ${host} cannot be kept, because hosts are not distinguished here; use --engine app-server, or remove the rule and leave the network closed`;

const filesIn = ({ namesIn }: RulesDeps, folder: string): string[] => {
  const names = namesIn(folder).filter((name) => name.endsWith('.rules'));
  return [...new Set([DEFAULT, ...names])].sort().map((name) => join(folder, name));
};

const parseFile = ({ readFile }: RulesDeps, file: string, read: Read) => {
  const text = read(readFile, file);
  return text === undefined ? [] : [parseRules(file, text)];
};

/** Events whose hooks may refuse what they are about. Hooks of others only watch, and have no effect here. Source: Codex 0.171.0. */
const REFUSING = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'];

/** Either switches all hooks off. */
const FEATURES = ['hooks', 'codex_hooks'];

type HooksDeps = Pick<ConfigDeps, 'codexHome' | 'readFile'>;

/**
 * A line for each such hook: of each layer, of `hooks.json` in the Codex home, and in `.codex` of a trusted project. To run them would take their
 * discovery, hashes of trust, matchers, inputs, time limits, answers and changed arguments: more than the rules that they replace.
 * @param sources of the operator, then of each layer of others
 * @param projects folders of a trusted project
 */
export const hookFaults = (
  deps: HooksDeps,
  [operator, ...others]: readonly [Sources, ...Sources[]],
  projects: readonly string[],
): string[] => {
  if (FEATURES.some((name) => getIn(operator.table, ['features', name]) === false)) return [];
  const own = [operator, ...others].flatMap(({ table, placeOf }) =>
    hooksIn(getIn(table, ['hooks'])).map((event) => fault(placeOf(['hooks']).where(['hooks', event]), event)),
  );
  const inProjects = projects.flatMap((folder) => faultsIn(deps, join(folder, '.codex', HOOKS), readOfProject));
  return [...own, ...faultsIn(deps, join(deps.codexHome, HOOKS), readText), ...inProjects];
};

const HOOKS = 'hooks.json';

const faultsIn = ({ readFile }: HooksDeps, file: string, readAs: Read): readonly string[] => {
  const { value: text, faults } = tried(() => readAs(readFile, file));
  if (text === undefined) return faults;
  const read: JsonObject | undefined = parseObject(text);
  if (read === undefined) return [`${file}: no JSON object, so its hooks cannot be kept; ${REMEDY}`];
  return hooksIn(read.hooks).map((event) => fault(file, event));
};

/** Events with a hook that may refuse. */
const hooksIn = (hooks: unknown): string[] =>
  isObject(hooks) ? REFUSING.filter((event) => isFilled(hooks[event])) : [];

const isFilled = (groups: unknown): boolean => Array.isArray(groups) && groups.length > 0;

const REMEDY = 'use --engine app-server, switch all hooks off by -c features.hooks=false, or remove it';
const fault = (where: string, event: string): string =>
  `${where}: the hook ${event} cannot be kept, because no hooks are run here; ${REMEDY}`;
