/** What the rules of commands mean, `rules/*.rules` of Codex: calls of `prefix_rule`, `host_executable` and `network_rule`. */
import { splitWords } from '../../streams/text/words';
import { type PrefixRule, RULE_DECISIONS, type Rules } from '../config';
import { ConfigError } from '../faults/configError';
import { cut } from '../faults/errorText';
import { triedAll } from '../faults/tried';
import { type Call, parseCalls, type Value } from './parseCalls';

type RulesFile = Rules & {
  /** What it says about hosts, of which nothing here can keep what is not `allow`. */
  hosts: readonly { host: string; decision: string; where: string }[];
  /** The places of the rules by which more commands are allowed. */
  widens: readonly string[];
};

/** True if a command begins with the words of a rule; a word that is not known matches none. */
export const matches = (pattern: PrefixRule['pattern'], words: readonly (string | undefined)[]): boolean =>
  pattern.every((alternatives, at) => alternatives.includes(words[at] ?? '\0'));

/** The rules of a file. Throws ConfigError, which names the line of each fault. Source: Codex 0.171.0, `codex execpolicy check`. */
export const parseRules = (file: string, text: string): RulesFile => {
  const calls = parseCalls({ file, parameters: PARAMETERS, fault }, text);
  const rules = triedAll(calls.map((call) => () => toRule(call)));
  const prefixes = rules.flatMap(({ prefix }) => prefix ?? []);
  const programs = rules.flatMap(({ program }) => (program === undefined ? [] : [program]));
  return {
    prefixes,
    programs: Object.fromEntries(programs.map(({ name, paths }) => [name, paths])),
    hosts: rules.flatMap(({ host }) => host ?? []),
    widens: [...prefixes.filter(({ decision }) => decision === 'allow'), ...programs].map(({ where }) => where),
  };
};

const toRule = (call: Call | ConfigError): Read => {
  if (call instanceof ConfigError) throw call;
  return READERS[call.name as keyof typeof READERS](call);
};

/** What one call means. */
type Read = {
  prefix?: PrefixRule;
  program?: { name: string; paths: string[]; where: string };
  host?: RulesFile['hosts'][number];
};

/** The parameters of each function, in order. */
const PARAMETERS = {
  prefix_rule: ['pattern', 'decision', 'match', 'not_match', 'justification'],
  host_executable: ['name', 'paths'],
  network_rule: ['host', 'protocol', 'decision', 'justification'],
} as const;

/** How the calls of each function are read. */
const READERS: Readonly<Record<keyof typeof PARAMETERS, (call: Call) => Read>> = {
  prefix_rule: (call) => ({ prefix: toPrefixRule(call) }),
  host_executable: (call) => ({ program: toProgram(call) }),
  network_rule: (call) => ({ host: toHost(call) }),
};

const fault = (where: string, what: string): ConfigError =>
  new ConfigError(
    `${where}: ${what}; rules are calls of ${Object.keys(PARAMETERS).join(', ')} with texts and lists of texts; correct the file, or use --engine app-server`,
  );

const toPrefixRule = ({ args, where }: Call): PrefixRule => {
  const { decision = 'allow', justification } = args;
  const pattern = toPattern(where, args.pattern);
  checkExamples(where, pattern, args);
  const known = RULE_DECISIONS.find((name) => name === decision);
  if (known === undefined) throw fault(where, `decision is ${shown(decision)}, expected ${RULE_DECISIONS.join(', ')}`);
  if (justification === undefined) return { pattern, decision: known, where };
  const why = textOf(where, 'justification', justification);
  if (why.trim() === '') throw fault(where, 'justification is empty');
  return { pattern, decision: known, justification: why, where };
};

const toPattern = (where: string, value: Value | undefined): PrefixRule['pattern'] => {
  const words = listOf(where, 'pattern', value).map((one) =>
    typeof one === 'string' ? [one] : textsOf(where, 'pattern', one),
  );
  if (words.length === 0) throw fault(where, 'pattern is empty');
  if (words.some((alternatives) => alternatives.length === 0))
    throw fault(where, 'pattern has a word without alternatives');
  return words;
};

/** The examples of a rule are tests that its author wrote. */
const checkExamples = (
  where: string,
  pattern: PrefixRule['pattern'],
  { match = [], not_match = [] }: Call['args'],
): void => {
  const isFit = (example: Value): boolean => matches(pattern, wordsOf(where, example));
  const missed = listOf(where, 'match', match).find((example) => !isFit(example));
  if (missed !== undefined) throw fault(where, `the rule does not match its example ${shown(missed)}`);
  const hit = listOf(where, 'not_match', not_match).find(isFit);
  if (hit !== undefined) throw fault(where, `the rule matches ${shown(hit)}, which it names in not_match`);
};

const toProgram = ({ args: { name, paths }, where }: Call): Read['program'] => {
  const all = textsOf(where, 'paths', paths);
  const relative = all.find((path) => !path.startsWith('/'));
  if (relative !== undefined) throw fault(where, `paths has ${shown(relative)}, expected absolute paths`);
  return { name: textOf(where, 'name', name), paths: all, where };
};

const toHost = ({ args: { host, decision }, where }: Call) => ({
  host: textOf(where, 'host', host),
  decision: textOf(where, 'decision', decision),
  where,
});

const shown = (value: Value | undefined): string => (value === undefined ? 'missing' : cut(JSON.stringify(value)));

const listOf = (where: string, name: string, value: Value | undefined): readonly Value[] => {
  if (Array.isArray(value)) return value;
  throw fault(where, `${name} is ${shown(value)}, expected a list`);
};

const textOf = (where: string, name: string, value: Value | undefined): string => {
  if (typeof value === 'string') return value;
  throw fault(where, `${name} is ${shown(value)}, expected a text`);
};

const textsOf = (where: string, name: string, value: Value | undefined): string[] =>
  listOf(where, name, value).map((one) => textOf(where, name, one));

/** The words of an example: a list, or a line as in a shell. */
const wordsOf = (where: string, example: Value): readonly string[] => {
  const words = typeof example === 'string' ? splitWords(example) : textsOf(where, 'an example', example);
  if (words === undefined || words.length === 0) throw fault(where, `the example ${shown(example)} has no words`);
  return words;
};
