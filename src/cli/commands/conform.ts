/** `codex-rx conform`: checks any MCP server against the specification. */
import { share } from 'rxjs';
import { isHttpUrl } from '../../io/mcpServer/httpAddress';
import { SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import { ALL_RULES, CASES } from '../../testing/conform/caseTable';
import { ACP_1, linkOf, type Sentence } from '../../testing/conform/conformCase';
import { failuresOf, toConformReport } from '../../testing/conform/report';
import { defineCommand } from '../command';
import { type Conform, isChosen, options, positionals } from '../conform/options';
import { startChecking } from '../conform/startChecking';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { interruption } from '../signals';
import { print } from '../terminal';

const problem = (given: Conform): string | undefined => {
  const { url, list, command } = given;
  if (![...CASES, ...ALL_RULES].some((one) => isChosen(given, one)))
    return 'No case is of this --only, --level and --revision; --list prints the cases';
  if (list) return undefined;
  if (url === undefined && command.length === 0)
    return 'There is no server to check: write its command after --, or --url URL';
  if (url !== undefined && command.length > 0) return '--url goes without a command after --';
  if (url !== undefined && !isHttpUrl(url)) return '--url must be http://HOST/PATH or https://HOST/PATH';
  return problemOfProtocol(given);
};

const problemOfProtocol = ({ protocol, url, revision, tool, prompt, arguments: args }: Conform): string | undefined => {
  if (args.length > tool.length) return '--arguments goes with --tool';
  if (!protocol.includes('acp')) return prompt.length === 0 ? undefined : '--prompt goes with --protocol acp';
  const isMixed = protocol.length > 1 || url !== undefined || revision.length > 0 || tool.length > 0;
  return isMixed ? '--protocol acp goes without other protocols, --url, --revision and --tool' : undefined;
};

export const conform = defineCommand({
  usage: '$0 conform [OPTIONS] -- COMMAND [ARGUMENTS]',
  positionals,
  options,
  afterDashes: 'command',
  examples: [
    ['$0 conform -- node server.js', 'does my server keep what the specification of MCP demands?'],
    ['$0 conform --level MUST --report junit -- node server.js', 'only what it demands by MUST, for CI'],
    ['$0 conform --url http://127.0.0.1:3000/mcp --revision 2025-06-18', 'a server over HTTP, one revision'],
    [`$0 conform --tool echo --arguments '{"text":"hi"}' -- node server.js`, 'also the cases that call a tool'],
    ['$0 conform --protocol acp --prompt "Say hi" -- node agent.js', 'an agent that speaks ACP'],
    [
      '$0 conform --expect known.txt --record failed -- node server.js',
      'known failures do not count; tapes of the others',
    ],
    ['$0 conform --list --only "tools-*"', 'the cases of tools, with the sentences of the specification'],
  ],
  epilogue:
    'Exit codes: 0 nothing failed, 1 something failed, 2 the server or the command line cannot be used. See docs/conform.md.',
  problem,
  run: (given) => {
    const chosen = <T extends Sentence>(all: readonly T[]): T[] => all.filter((one) => isChosen(given, one));
    if (given.list) return print(toList([...chosen(CASES), ...chosen(ALL_RULES)], given));
    process.exitCode = exitCode.failed; // until all is passed
    const stop$ = interruption().pipe(share());
    startChecking(given, { cases: chosen(CASES), rules: chosen(ALL_RULES) }, stop$)
      .subscribe({
        next: (conformance) => {
          print(toConformReport(given.report, conformance));
          if (!conformance.unchecked && failuresOf(conformance).length === 0) process.exitCode = exitCode.ok;
        },
        error: failAs('conform'),
      })
      .add(exitWhenWritten('conform'));
  },
});

const toList = (sentences: readonly Sentence[], { revision: chosen }: Conform): string =>
  sentences
    .map((one) => {
      const newest = one.revisions.findLast(
        (revision) => chosen.length === 0 || (revision !== ACP_1 && chosen.includes(revision)),
      );
      const official = one.official === undefined ? '' : `           official: ${one.official}\n`;
      const link = linkOf(one, newest ?? SUPPORTED_VERSIONS[0]);
      return `${one.level.padEnd(10)} ${one.id}\n           "${one.sentence}"\n           ${link}\n${official}`;
    })
    .join('');
