/** Writes the last page of the demonstration: the diagram, the file, the result, what to do next. */

import { toVisible, toVisibleLines } from '../../io/log/toVisible';
import { wrapTo } from '../../io/terminal/width';
import { joinWords } from '../../streams/text/joinWords';
import { toDiagram, toLegend } from '../../tapes/diagram/toDiagram';
import type { LineOptions } from './live';
import { FILE } from './scene';
import { quoted } from './text';
import type { Facts, Verdict } from './verdict';

/** `serve` is the command that starts this program as a server; `kept` the folder that stays, if it does. */
export type ClosingDeps = LineOptions & { serve: readonly string[]; kept?: string };

/** All that is shown after the last message. */
export const toClosing = (facts: Facts, verdict: Verdict, deps: ClosingDeps): string[] => [
  '',
  ...section(deps, 'The session in marbles (a column is a message, time runs to the right)', [
    ...toDiagram(facts.marks, { ...deps, width: deps.width - INDENT.length }),
    '',
    ...toLegend(facts.marks, { ...deps, width: deps.width - INDENT.length }),
  ]),
  ...section(deps, `What is in ${FILE} now`, toFileLines(facts.written)),
  ...(verdict.kind === 'shown'
    ? section(deps, 'What came back from the tool codex', toResultLines(verdict, deps))
    : []),
  ...(deps.kept === undefined ? [] : section(deps, 'Kept', [deps.kept])),
  ...(verdict.kind === 'shown' ? toNext(deps) : [deps.paint('red', `FAILED: ${verdict.reason}`)]),
];

const INDENT = '  ';

const section = ({ paint }: ClosingDeps, title: string, lines: string[]): string[] => [
  paint('bold', title),
  ...lines.map((line) => (line === '' ? '' : INDENT + line)),
  '',
];

const toFileLines = (written: string | undefined): string[] =>
  written === undefined ? ['(there is no such file)'] : toVisibleLines(written.trimEnd()).split('\n');

const toResultLines = ({ codex }: Extract<Verdict, { kind: 'shown' }>, { width }: ClosingDeps): string[] => {
  const { text, threadId, content } = codex;
  const structured = toVisible(JSON.stringify({ threadId, content }));
  return [
    'content[0].text',
    ...wrapTo(quoted(text), width - 2 * INDENT.length).map((line) => INDENT + line),
    'structuredContent',
    ...wrapTo(structured, width - 2 * INDENT.length).map((line) => INDENT + line),
  ];
};

const toNext = ({ paint, serve }: ClosingDeps): string[] => {
  const [command, ...args] = serve;
  return [
    paint('green', 'OK: asked, approved, run; the file is there, both calls were answered.'),
    '',
    paint('bold', 'Next: give it to your own client'),
    '  Claude Code:',
    `    claude mcp add codex -- ${joinWords(serve)}`,
    '  Cursor, Claude Desktop: in "mcpServers" (VS Code, Zed: see docs/clients.md):',
    '    "codex": {',
    `      "command": ${JSON.stringify(command)},`,
    `      "args": [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    '    }',
    '  A real model: set OPENAI_API_KEY, or name a provider in config.toml.',
    '  More: README.md, docs/clients.md, docs/configuration.md',
  ];
};
