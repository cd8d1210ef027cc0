/** Finds the rules for commands: of the user, and of a project that the user trusts. */
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
  /** Rules that allow more than is possible here. */
  warnings: readonly string[];
};

/** Looked for even if a folder cannot be listed, so that a folder that cannot be read is no folder without rules. */
const DEFAULT = 'default.rules';

/**
 * All rules for commands. Source: Codex 0.171.0, in runs: `rules/*.rules` of the Codex home, then those of `.codex` in each folder of a trusted project.
 * @param projects folders of a trusted project, its root first; empty if it is not trusted
 */
export const readRules = (deps: RulesDeps, projects: readonly string[]): Found => {
  const [root] = projects;
  const folders = [deps.codexHome, ...projects.map((folder) => join(folder, '.codex'))].map((one) =>
    join(one, 'rules'),
  );
  const read = folders.flatMap((folder) => filesIn(deps, folder)).map((file) => tried(() => parseFile(deps, file)));
  const files = read.flatMap(({ value }) => value ?? []);
  const hosts = files.flatMap(({ hosts }) => hosts);
  const prefixes = files.flatMap(({ prefixes }) => prefixes);
  const programs = Object.assign({}, ...files.map(({ programs }) => programs));
  return {
    rules:
      prefixes.length === 0
        ? undefined
        : { prefixes, programs, ...(root !== undefined && { repository: deps.realpath(root) }) },
    faults: [
      ...read.flatMap(({ faults }) => faults),
      ...hosts.filter(({ decision }) => decision !== 'allow').map(({ where, host }) => `${where}: ${noHosts(host)}`),
    ],
    warnings: hosts
      .filter(({ decision }) => decision === 'allow')
      .map(
        ({ where, host }) => `${where}: the network_rule for ${host} has no effect: hosts are not distinguished here`,
      ),
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
