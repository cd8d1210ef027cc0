/** Hooks of the user that may forbid something. None is run here, so none is passed over in silence. */
import { join } from 'node:path';
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import type { ConfigDeps } from '../deps';
import { tried } from '../faults/tried';
import { getIn } from '../layer';
import { readText } from '../layers/fileLayer';
import type { Sources } from '../layers/sources';

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
  const folders = [deps.codexHome, ...projects.map((folder) => join(folder, '.codex'))];
  return [...own, ...folders.flatMap((folder) => faultsIn(deps, join(folder, 'hooks.json')))];
};

const faultsIn = ({ readFile }: HooksDeps, file: string): readonly string[] => {
  const { value: text, faults } = tried(() => readText(readFile, file));
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
