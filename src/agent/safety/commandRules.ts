/** What the rules of the user decide about a command. */
import { basename, isAbsolute } from 'node:path';
import { defaultIfEmpty, forkJoin, map, type Observable, of, switchMap } from 'rxjs';
import { type PrefixRule, RULE_DECISIONS, type RuleDecision, type Rules } from '../../settings/config';
import { matches } from '../../settings/rules/parseRules';
import { toVisible } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import { isPlain, meaningOf } from './readTrust';
import { type CommandsIn, type KnownWords, type ReadScript, scriptOf, shellScriptOf, UNKNOWN } from './script';

/** What rules decide; `rule` is the deciding rule, absent if a script cannot be read, so that no rule can be looked up. */
export type RuledCommand =
  /** The user trusts each of these commands: it may run without a sandbox. */
  | { decision: 'allow'; rule: PrefixRule; commands: readonly KnownWords[] }
  | { decision: 'prompt' | 'forbidden'; rule?: PrefixRule };

type RulesDeps = { read: ReadScript; commandsIn: CommandsIn };

/**
 * Looks up the rules for each command of an argv, also of those in a script for a shell. Emits once and completes: the strictest decision, or undefined if
 * no rule applies. A script is allowed only if it is written plainly and each of its commands is allowed.
 * Source: Codex 0.171.0, in runs. Stricter here: Codex does not look into scripts with redirections, variables or subshells, and a path counts there as
 * the program of its name.
 */
export const decideByRules =
  (deps: RulesDeps) =>
  (rules: Rules | undefined) =>
  (argv: readonly string[]): Observable<RuledCommand | undefined> => {
    if (rules === undefined) return of(undefined);
    return forkJoin({ commands: commandsOf(deps, argv), plain: plainCommands(deps, argv) }).pipe(
      map(
        ({ commands, plain }) =>
          strictest(rules, commands) ??
          allowed(rules, [argv]) ??
          (plain && allowed(rules, plain)) ??
          unread(rules, commands),
      ),
    );
  };

/** A command, and those of its script if it is a shell, also of scripts in that. */
const commandsOf = (deps: RulesDeps, words: KnownWords): Observable<readonly KnownWords[]> => {
  const script = shellScriptOf(words);
  if (script === undefined) return of([words]);
  const commands$ = script.text === undefined ? of(undefined) : deps.commandsIn(script.text);
  return commands$.pipe(
    switchMap((commands = [UNKNOWN]) => forkJoin(commands.map((one) => commandsOf(deps, one)))),
    defaultIfEmpty([]), // a script without commands
    map((inner) => [words, ...inner.flat()]),
  );
};

const plainCommands = ({ read }: RulesDeps, argv: readonly string[]): Observable<readonly KnownWords[] | undefined> => {
  const script = scriptOf(argv);
  if (script === undefined || !isPlain(script)) return of(undefined);
  return read(script).pipe(map((commands) => commands?.map((words) => words.map(({ raw }) => meaningOf(raw)))));
};

const STRICT = RULE_DECISIONS.filter((decision) => decision !== 'allow').toReversed();

const strictest = (rules: Rules, commands: readonly KnownWords[]): RuledCommand | undefined => {
  const found = commands.flatMap((words) => rulesFor(rules, words));
  for (const decision of STRICT) {
    const rule = found.find((one) => one.decision === decision);
    if (rule !== undefined) return { decision, rule };
  }
  return undefined;
};

const allowed = (rules: Rules, commands: readonly KnownWords[]): RuledCommand | undefined => {
  const found = commands.map((words) => rulesFor(rules, words).find(({ decision }) => decision === 'allow'));
  const [rule] = found;
  return rule !== undefined && found.every((one) => one !== undefined)
    ? { decision: 'allow', rule, commands }
    : undefined;
};

/** What cannot be read may be anything that a strict rule is about. */
const unread = ({ prefixes }: Rules, commands: readonly KnownWords[]): RuledCommand | undefined =>
  prefixes.some(({ decision, pattern }) => decision !== 'allow' && commands.some((words) => mayMatch(pattern, words)))
    ? { decision: 'prompt' }
    : undefined;

/** True if the words before the first that is not known are those of the rule: that one may be any number of words. */
const mayMatch = (pattern: PrefixRule['pattern'], words: KnownWords): boolean => {
  const known = words.slice(0, Math.max(words.indexOf(undefined), 0));
  const [path = '', ...args] = known;
  const start = pattern.slice(0, known.length);
  return words.includes(undefined) && (matches(start, known) || matches(start, [basename(path), ...args]));
};

/** The rules for a command. If none names its path, those of the program's name apply; they allow only paths that the rules name. */
const rulesFor = ({ prefixes, programs }: Rules, words: KnownWords): readonly PrefixRule[] => {
  const exact = prefixes.filter(({ pattern }) => matches(pattern, words));
  const [path, ...args] = words;
  if (exact.length > 0 || path === undefined || !path.includes('/')) return exact;
  const name = basename(path);
  const isNamed = isAbsolute(path) && Object.hasOwn(programs, name) && programs[name]?.includes(path) === true;
  return prefixes.filter(
    ({ pattern, decision }) => (decision !== 'allow' || isNamed) && matches(pattern, [name, ...args]),
  );
};

/** The reason for the model and for the person who is asked. Source: Codex 0.171.0, texts. */
export const reasonOfRule = ({ decision, rule }: RuledCommand): string => {
  if (rule === undefined)
    return 'its script cannot be read here, so that the rules for commands could not be looked up';
  const { justification, where, pattern } = rule;
  const named = joinWords(pattern.map((alternatives) => alternatives.join('|')));
  return toVisible(`${justification ?? `a rule ${VERBS[decision]} commands that begin with ${named}`} (${where})`);
};

const VERBS = { allow: 'allows', prompt: 'asks about', forbidden: 'forbids' } as const satisfies Record<
  RuleDecision,
  string
>;
