/** Which commands of git only read. */

/** The options of git that are known to be harmless. They are an allow list, because git has too many harmful options. */
const names = (text: string): string[] => text.trim().split(/\s+/);

const DIFF = names(`--patch --no-patch -p -u -s --stat --shortstat --numstat --dirstat --summary --compact-summary
  --name-only --name-status --raw --full-index --binary --text --minimal --patience --histogram --diff-algorithm
  --unified --inter-hunk-context --function-context -W --color --no-color --color-moved --no-color-moved --color-words
  --word-diff --word-diff-regex --ignore-all-space -w --ignore-space-change -b --ignore-space-at-eol --ignore-blank-lines
  --find-renames --no-renames --find-copies -M -C -R --diff-filter --abbrev --relative --no-relative --no-prefix
  --src-prefix --dst-prefix --check --exit-code --quiet -q -z --no-ext-diff --no-textconv --pickaxe-all --pickaxe-regex`);

const LOG = names(`--oneline --graph --decorate --no-decorate --all --branches --tags --remotes --not --format --pretty
  --abbrev-commit --no-abbrev-commit --date --relative-date --author --committer --grep --invert-grep --all-match -i
  --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --since --after --until --before
  --max-count -n --skip --merges --no-merges --first-parent --reverse --follow --full-history --topo-order --date-order
  --author-date-order --left-right --cherry-pick --ancestry-path --simplify-by-decoration --source --parents --children
  --boundary --no-walk --no-notes`);

const STATUS =
  names(`--short -s --branch -b -sb --show-stash --porcelain --long --verbose -v -vv --untracked-files -u -uno
  -unormal -uall --ignored --no-ahead-behind --ahead-behind --renames --no-renames --find-renames --column --no-column -z`);

/** Only with one of these are the operands of `git branch` patterns; otherwise they are names of new branches. */
const LISTING = names('--list --contains --no-contains --merged --no-merged --points-at');
const BRANCH = names(`--all -a --remotes -r --verbose -v -vv -av -avv -va -vva -rv -rvv --show-current
  --ignore-case -i --column --no-column --color --no-color --abbrev --no-abbrev`);

/** Numbers and strings attached to a letter: `-5`, `-U3`, `-M90%`, `-Sname`, `-L1,5:file`. Not for `branch`, where `-Mx` is a rename. */
const STUCK = /^-(?:[UMCn]?\d+%?|[SGL].*)$/s;

/** The name before `=`; short options have none: in `-w=Of` every letter is another option. */
const nameOf = (option: string): string => (/^--[^=]+(?==)/.exec(option) ?? [option])[0];

type IsKnown = (option: string) => boolean;

const oneOf = (options: readonly string[]): IsKnown => {
  const known = new Set(options);
  return (option) => known.has(nameOf(option));
};
const oneOfOrStuck = (options: readonly string[]): IsKnown => {
  const isKnown = oneOf(options);
  return (option) => isKnown(option) || STUCK.test(option);
};

/** `--sort` and `--format` only with `=`: `git branch --sort --list x` takes `--list` for the sort key and makes a branch x. */
const isShown = oneOf([...BRANCH, ...LISTING]);

const LS_FILES =
  names(`--cached -c --deleted -d --modified -m --others -o --ignored -i --stage -s --unmerged -u --killed -k
  -t -v -z --exclude-standard --directory --no-empty-directory --error-unmatch --full-name --abbrev --deduplicate`);
const REV_PARSE = names(`--show-toplevel --show-cdup --show-prefix --git-dir --absolute-git-dir --git-common-dir
  --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --abbrev-ref --short --verify
  --quiet -q --symbolic --symbolic-full-name --branches --tags --remotes --all`);

const COMMANDS = new Map<string, IsKnown>([
  ['diff', oneOfOrStuck([...DIFF, '--cached', '--staged', '--merge-base'])],
  ['log', oneOfOrStuck([...DIFF, ...LOG])],
  ['show', oneOfOrStuck([...DIFF, ...LOG])],
  ['status', oneOf(STATUS)],
  ['ls-files', oneOf(LS_FILES)],
  ['rev-parse', oneOf(REV_PARSE)],
  ['branch', (option) => isShown(option) || /^--(?:sort|format)=/.test(option)],
]);

/** A format or sort key that checks a signature, which runs the program that is configured for that. */
const SIGNATURE = /%[-+ ]?G|%\(\*?signature|^(?:--sort=)?-?\*?signature\b/;

/** Words with a dash are judged wherever they stand: an option that takes a value may swallow the `--` before them. */
const isOperand = (arg: string): boolean => !arg.startsWith('-') || arg === '--';

const isListing = (args: readonly string[]): boolean =>
  !args.some(isOperand) || (!args.includes('--') && args.some((arg) => LISTING.includes(nameOf(arg))));

/**
 * True for `git branch|diff|log|ls-files|rev-parse|show|status` with harmless options only; `git branch` only if it lists.
 * What argv cannot show: the configuration of a hostile repository or user (core.fsmonitor, diff.external, textconv, gpg.program,
 * pretty.*, a promisor remote) names programs that these commands run; so does a bare repository in a folder that a script
 * enters with `cd`. Whoever runs them can prevent that: GIT_CONFIG_COUNT with core.fsmonitor=false and safe.bareRepository=explicit,
 * GIT_OPTIONAL_LOCKS=0 (status rewrites the index), GIT_PAGER=cat.
 * Source: Codex 0.28.0 trusts these five with any option: `diff --output=F`, `branch -D`, `show --ext-diff` ran unasked.
 */
export const isHarmlessGit = ([command = '', ...args]: readonly string[]): boolean => {
  if (command === '--no-pager') return isHarmlessGit(args);
  const isKnown = COMMANDS.get(command);
  return (
    isKnown !== undefined &&
    args.every((arg) => (isOperand(arg) || isKnown(arg)) && !SIGNATURE.test(arg)) &&
    (command !== 'branch' || isListing(args))
  );
};
