/** Values of newer releases of Codex in a file: the nearest known one takes their place, so that the file does not fail every call. */
import { APPROVAL_POLICIES, SANDBOX_MODES } from '../../protocol/codex/settings';
import { WIRE_APIS } from '../../protocol/model/provider';
import { nearest } from '../../streams/text/nearest';
import {
  AUTH_METHODS,
  HISTORY_PERSISTENCES,
  INHERITS,
  REASONING_EFFORTS,
  REASONING_SUMMARIES,
  TRUST_LEVELS,
  VERBOSITIES,
  WEB_SEARCHES,
} from '../config';
import { dotted, found } from '../faults/errorText';
import { getIn, isTable, type Path, type Table, type Toml, tableOf } from '../layer';

/**
 * The values of a key, and the one that stands for an unknown value. `aliases`: values of newer releases. `isStrict`: what is nearest by its
 * letters might allow more, so it does not count.
 */
type Choice = {
  values: readonly string[];
  otherwise: string;
  aliases?: Readonly<Record<string, string>>;
  isStrict?: true;
};

/** `*` stands for any key. Source: the configuration of Codex 0.28.0 to 0.169.0. */
const CHOICES: readonly (readonly [Path, Choice])[] = [
  [['approval_policy'], { values: APPROVAL_POLICIES, otherwise: 'untrusted', isStrict: true }],
  [['sandbox_mode'], { values: SANDBOX_MODES, otherwise: 'read-only', isStrict: true }],
  [
    ['model_reasoning_effort'],
    { values: REASONING_EFFORTS, otherwise: 'medium', aliases: { none: 'minimal', max: 'xhigh', ultra: 'xhigh' } },
  ],
  [['model_reasoning_summary'], { values: REASONING_SUMMARIES, otherwise: 'auto' }],
  [['model_verbosity'], { values: VERBOSITIES, otherwise: 'medium' }],
  [['preferred_auth_method'], { values: AUTH_METHODS, otherwise: 'chatgpt', aliases: { api: 'apikey' } }],
  [['web_search'], { values: WEB_SEARCHES, otherwise: 'disabled', isStrict: true }],
  [['history', 'persistence'], { values: HISTORY_PERSISTENCES, otherwise: 'none', isStrict: true }],
  [['shell_environment_policy', 'inherit'], { values: INHERITS, otherwise: 'core', isStrict: true }],
  [['projects', '*', 'trust_level'], { values: TRUST_LEVELS, otherwise: 'untrusted', isStrict: true }],
  [['model_providers', '*', 'wire_api'], { values: WIRE_APIS, otherwise: 'responses' }],
];

/** A file's values, with a warning for each that was replaced. */
export type Adapted = { value: Toml; warnings: string[] };

/** Replaces unknown values of keys that have a few, at the top and in profiles. @param where names the place of a path */
export const adaptValues = (value: Toml, where: (path: Path) => string): Adapted => {
  const places = CHOICES.flatMap(([path, choice]) =>
    [path, ['profiles', '*', ...path]].flatMap((pattern) => pathsOf(value, pattern).map((at) => ({ at, choice }))),
  );
  return places.reduce<Adapted>(
    (adapted, { at, choice }) => {
      const now = getIn(adapted.value, at);
      if (now === undefined || (typeof now === 'string' && choice.values.includes(now))) return adapted;
      if (typeof now !== 'string' && !isTable(now)) return adapted; // a fault, which the check reports
      const instead = replacementOf(now, choice);
      const warning = `${where(at)}: ${dotted(at)} is ${found(now, at)}, which is not known here; "${instead}" is used`;
      return { value: replaceIn(adapted.value, at, instead), warnings: [...adapted.warnings, warning] };
    },
    { value, warnings: [] },
  );
};

/** A table is a form of newer releases, such as `approval_policy = { granular = … }`. */
const replacementOf = (value: Toml, { values, otherwise, aliases = {}, isStrict }: Choice): string => {
  if (typeof value !== 'string') return otherwise;
  return (Object.hasOwn(aliases, value) ? aliases[value] : isStrict ? undefined : nearest(value, values)) ?? otherwise;
};

const pathsOf = (value: Toml, [key, ...rest]: Path): Path[] => {
  if (key === undefined) return [[]];
  const table: Table = isTable(value) ? value : tableOf();
  const names = key === '*' ? Object.keys(table) : Object.hasOwn(table, key) ? [key] : [];
  return names.flatMap((name) => pathsOf(table[name] ?? '', rest).map((path) => [name, ...path]));
};

const replaceIn = (value: Toml, [key, ...rest]: Path, by: Toml): Toml =>
  key === undefined || !isTable(value) ? by : tableOf(value, { [key]: replaceIn(value[key] ?? tableOf(), rest, by) });
