/** The scripts for shell completion. Each asks the program for the commands, options and values that fit a line that is typed. */
import { basename } from 'node:path';

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
