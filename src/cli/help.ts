/** The help texts and the shell completion, which yargs writes from the table of commands. */
import { basename } from 'node:path';
import type { Argv } from 'yargs';
import { wrapTo } from '../io/terminal/width';
import { lazy } from '../streams/lazy';
import { COMMANDS, DEFAULT_COMMAND } from './commands';
import { remarkAs } from './ending';
import { exitCode } from './exitCode';
import type { Option } from './option';
import { print } from './terminal';

/** The whole of yargs takes longer to load than the server takes to start. */
const yargs = lazy(() => require('yargs') as typeof import('yargs').default);

const MAX_WIDTH = 100;

const ABOUT =
  'Serves a Codex agent as the MCP tools codex and codex-reply over stdio, for IDEs and other agents. Without a command it is the server, and waits for an MCP client on its input.';

const EPILOGUE = `Exit codes: 0 all went well, 1 something failed, 2 the command line cannot be used.
Settings come from config.toml in $CODEX_HOME or ~/.codex.
Docs: README.md and docs/ in the package (clients, configuration, approvals, protocol).`;

/** The commands by what a person wants. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Work with it': ['mcp-server', 'acp', 'run', 'demo', 'threads', 'tasks'],
  'Set it up': ['init', 'doctor', 'login', 'logout', 'mcp', 'config', 'explain'],
  'Record and replay': ['record', 'replay', 'rerun', 'fork', 'tapes', 'import', 'redact'],
  'Look at tapes': ['diagram', 'diff', 'drift', 'check', 'stats', 'shrink', 'fuzz', 'marbles'],
  'Test servers': ['conform'],
  Parts: ['exec-server', 'apply-patch'],
};

/** What a person may ask for: the page of a command, the commands in groups, all at length, or the page of `man`. */
export type Page = { kind: 'command'; name: string } | { kind: 'short' | 'all' | 'man' };

/** Writes a page to stdout. */
export const showHelp = (page: Page): void => {
  if (page.kind === 'short') print(toShortPage(widthHere()));
  else if (page.kind === 'man') print(toManPage());
  else showAtLength(page.kind === 'command' ? page.name : undefined);
};

const showAtLength = (command: string | undefined): void => {
  const argv = command === undefined ? ['--help'] : [command, '--help'];
  parserOf(argv, toShort).parse(argv, (_error: unknown, _values: unknown, text: string) => {
    const names = Object.keys(COMMANDS[command ?? DEFAULT_COMMAND]?.load().options ?? {});
    print(`${names.reduce(withLongFlag, text)}\n`);
  });
};

const widthHere = (): number => Math.min(MAX_WIDTH, process.stdout.columns || 80);

const NAME_WIDTH = 15;

/** The commands in groups, each in a line if it fits. */
export const toShortPage = (width: number): string => {
  const rows = (names: readonly string[]): string[] =>
    names.flatMap((name) =>
      wrapTo(COMMANDS[name]?.summary ?? '', width - NAME_WIDTH).map(
        (line, at) => (at === 0 ? `  ${name}` : '').padEnd(NAME_WIDTH) + line,
      ),
    );
  const groups = Object.entries(GROUPS).flatMap(([title, names]) => ['', `${title}:`, ...rows(names)]);
  const more = 'codex-rx COMMAND --help shows what a command takes, codex-rx --help all everything.';
  return `${['codex-rx [COMMAND] [OPTIONS]', '', ...wrapTo(ABOUT, width), ...groups, '', ...wrapTo(more, width)].join('\n')}\n`;
};

/** The page of `man`, from the same tables. */
const toManPage = (): string => {
  const sections = Object.entries(COMMANDS).flatMap(([name, { summary, words = '', load }]) => [
    `.SS ${roff(`${name} ${words}`.trim())}`,
    roff(summary),
    ...Object.entries(load().options).flatMap(([long, { alias, describe }]) => [
      '.TP',
      `.B ${roff([`--${long}`, ...(alias === undefined ? [] : [`-${alias}`])].join(', '))}`,
      roff(describe),
    ]),
  ]);
  const head = [
    '.TH CODEX\\-RX 1',
    '.SH NAME',
    roff('codex-rx - a Codex agent as MCP tools; sessions recorded and replayed'),
  ];
  const body = ['.SH SYNOPSIS', roff('codex-rx [COMMAND] [OPTIONS]'), '.SH DESCRIPTION', roff(ABOUT), '.SH COMMANDS'];
  return `${[...head, ...body, ...sections, '.SH EXIT STATUS', roff(EPILOGUE)].join('\n')}\n`;
};

/** A text as lines of a page of `man`: no line of it is a request, and a hyphen is typed as it is read. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** Writes the script for shell completion, or what it asks for while a line is typed. */
export const complete = (argv: readonly string[]): void => {
  const script = argv[0] === 'completion' ? completionScript(argv[1], process.env.SHELL) : undefined;
  if (argv[0] !== 'completion') parserOf(argv, (name) => name).parse();
  else if (script !== undefined) print(script);
  else {
    remarkAs('completion')(`there is no completion for ${argv[1]}; there are ${SHELLS.join(', ')}`);
    process.exitCode = exitCode.unusable;
  }
};

/** A longer flag than this would be broken over lines, and makes its column wide. */
const MAX_FLAG = 24;

/** What yargs lays out in place of a long flag. */
const toShort = (name: string): string => name.slice(0, MAX_FLAG);

/** A flag that was shortened has a line of its own, above its text. */
const withLongFlag = (text: string, name: string): string =>
  name.length <= MAX_FLAG
    ? text
    : text.replace(
        new RegExp(`^( *)--${toShort(name)}( +)`, 'm'),
        (start, indent: string) => `${indent}--${name}\n${' '.repeat(start.length)}`,
      );

type ToKey = (name: string) => string;

const parserOf = (argv: readonly string[], toKey: ToKey): Argv => {
  const program = Object.entries(COMMANDS).reduce<Argv>(
    (all, [name, { words, summary }]) =>
      all.command(
        [[name, words].filter(Boolean).join(' '), ...(name === DEFAULT_COMMAND ? ['$0'] : [])],
        summary,
        (one) => describe(one, name, toKey),
      ),
    yargs()([...argv])
      .scriptName('codex-rx')
      .usage(`$0 [command]\n\n${ABOUT}`),
  );
  return program
    .completion('completion', 'Print a script for shell completion: bash, zsh, fish or powershell')
    .version(false)
    .option('version', { alias: 'v', type: 'boolean', describe: 'Print the version' })
    .help()
    .alias('help', 'h')
    .epilogue(EPILOGUE)
    .wrap(widthHere());
};

/** Adds the help of one command. */
const describe = (program: Argv, name: string, toKey: ToKey): Argv => {
  const { usage, positionals, options, examples, epilogue } = COMMANDS[name]?.load() ?? {};
  const described = Object.entries(positionals ?? {}).reduce(
    (all, [word, { describe: text, ...positional }]) =>
      all.positional(word, {
        type: 'string',
        describe: text,
        ...('choices' in positional && { choices: positional.choices }),
      }),
    program,
  );
  const shown = name === DEFAULT_COMMAND ? described : described.usage(usage ?? '').epilogue(epilogue ?? '');
  return shown
    .options(toYargs(options ?? {}, toKey))
    .example((examples ?? []).map(([line, meaning]) => [line, meaning]));
};

const toYargs = (options: Readonly<Record<string, Option>>, toKey: ToKey): Record<string, object> =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      toKey(name),
      { ...option, requiresArg: option.type !== 'boolean' },
    ]),
  );

const ASK = 'codex-rx --get-yargs-completions';

const SCRIPTS = {
  bash: `# bash: eval "$(codex-rx completion bash)" in ~/.bashrc
_codex_rx() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(SHELL=bash ${ASK} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)" -- "$word"))
}
complete -o default -F _codex_rx codex-rx
`,
  zsh: `#compdef codex-rx
# zsh: eval "$(codex-rx completion zsh)" in ~/.zshrc, after compinit
_codex_rx() {
  local -a found
  found=("\${(@f)$(SHELL=zsh ${ASK} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then _describe 'codex-rx' found; else _files; fi
}
compdef _codex_rx codex-rx
`,
  fish: `# fish: codex-rx completion fish > ~/.config/fish/completions/codex-rx.fish
complete -c codex-rx -a '(SHELL=bash ${ASK} (commandline -opc) (commandline -ct) 2>/dev/null)'
`,
  powershell: `# PowerShell: codex-rx completion powershell | Out-String | Invoke-Expression, in $PROFILE
Register-ArgumentCompleter -Native -CommandName codex-rx -ScriptBlock {
  param($word, $line, $at)
  $words = @($line.CommandElements | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '' }
  & ${ASK} @words | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
} as const;

/** The shells that have a script. */
export const SHELLS = Object.keys(SCRIPTS);

/** The script of a shell; without a name that of the user's shell, else of bash. Undefined for a shell that has none. */
export const completionScript = (name: string | undefined, shell = ''): string | undefined => {
  const wanted = name ?? (basename(shell) in SCRIPTS ? basename(shell) : 'bash');
  return Object.hasOwn(SCRIPTS, wanted) ? SCRIPTS[wanted as keyof typeof SCRIPTS] : undefined;
};
