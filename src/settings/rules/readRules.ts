/** Finds the rules for commands: of the user, and the strict ones of a project that the user trusts. */
import { join } from 'node:path';
import type { Rules } from '../config';
import type { ConfigDeps } from '../deps';
import { tried } from '../faults/tried';
import { readText } from '../layers/fileLayer';
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
  const own = readFolder(deps, deps.codexHome);
  const inProjects = projects
    .map((folder) => join(folder, '.codex'))
    .filter((folder) => deps.realpath(folder) !== deps.realpath(deps.codexHome))
    .map((folder) => readFolder(deps, folder));
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

const readFolder = (deps: RulesDeps, folder: string) => {
  const read = filesIn(deps, join(folder, 'rules')).map((file) => tried(() => parseFile(deps, file)));
  const files = read.flatMap(({ value }) => value ?? []);
  return {
    prefixes: files.flatMap(({ prefixes }) => prefixes),
    programs: Object.assign({}, ...files.map(({ programs }) => programs)),
    hosts: files.flatMap(({ hosts }) => hosts),
    widens: files.flatMap(({ widens }) => widens),
    faults: read.flatMap(({ faults }) => faults),
  };
};

const noHosts = (host: string): string =>
  `the network_rule for ${host} cannot be kept, because hosts are not distinguished here; use --engine app-server, or remove the rule and leave the network closed`;

const filesIn = ({ namesIn }: RulesDeps, folder: string): string[] => {
  const names = namesIn(folder).filter((name) => name.endsWith('.rules'));
  return [...new Set([DEFAULT, ...names])].sort().map((name) => join(folder, name));
};

const parseFile = ({ readFile }: RulesDeps, file: string) => {
  const text = readText(readFile, file);
  return text === undefined ? [] : [parseRules(file, text)];
};
