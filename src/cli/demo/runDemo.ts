/** Runs the demonstration: a client, a server and the picture of their messages. */
import {
  concatMap,
  connect,
  endWith,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  startWith,
  takeWhile,
  timer,
  timestamp,
} from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { wrapTo } from '../../io/terminal/width';
import { connectPeers, type Traffic } from '../../streams/connectPeers';
import { followedBy } from '../../streams/ends';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import { inputFirst } from '../../streams/time/limits';
import { toDiagram, toLegend } from '../../tapes/diagram/toDiagram';
import { type ToolResult, toToolResult } from '../client/messages';
import { readingLines } from '../client/toolClient';
import { type LineOptions, liveHead } from './live';
import { CONTENT, FILE } from './scene';
import { collapseDeltas, type Mark, quoted, type TimedTraffic, toMarks } from './toMarks';

/** What is shown: lines, and last whether all was well. */
export type Shown = { kind: 'line'; text: string } | { kind: 'over'; exitCode: number };

export type DemoDeps = ClosingDeps & {
  client: OperatorFunction<string, string>;
  server: OperatorFunction<string, ServerEvent>;
  /** Draws the messages. */
  live: OperatorFunction<TimedTraffic, string>;
  /** Emits the reason for an early end. */
  stop$: Observable<string>;
  limitMs: number;
  /** Reads the file afterwards. */
  written: () => string | undefined;
  /** Shown below a question that somebody at the terminal has to answer. */
  hint?: string;
};

type Item = Shown | { kind: 'mark'; mark: Mark } | { kind: 'trouble'; trouble: string };

/**
 * Runs the client against the server and shows it: a line a message as it comes, then the last page.
 * Emits lines, then `over` with 0 when all was as it should be, else 1; completes. Never errors by itself.
 *   client i---c---y------|
 *   server ---I---Q----C--|
 *   out    i--Ic--Qy---C--(pppz|)    (p the last page, z over)
 */
export const runDemo = (deps: DemoDeps): Observable<Shown> =>
  conversation(deps).pipe(
    timestamp(),
    connect((traffic$) =>
      merge<Item[]>(
        traffic$.pipe(deps.live, map(toLine)),
        traffic$.pipe(
          toMarks(),
          collapseDeltas(),
          concatMap((mark) => [
            { kind: 'mark' as const, mark },
            ...(deps.hint !== undefined && mark.symbol === 'Q' ? [toLine(deps.hint)] : []),
          ]),
        ),
        traffic$.pipe(concatMap(toTroubles)),
      ),
    ),
    followedBy<Item, Sum>(sumUp, { marks: [], trouble: '' }, (sum) => close(deps, sum)),
    filter((item) => item.kind === 'line' || item.kind === 'over'),
    startWith(toLine(liveHead(deps))),
  );

const toLine = (text: string): Shown => ({ kind: 'line', text });

/** Ends with the server, at the time limit, or when `stop$` emits; the reason for the latter two stands for the server's end. */
const conversation = ({ client, server, stop$, limitMs }: DemoDeps): Observable<Traffic<string, ServerEvent>> => {
  const late$ = timer(limitMs, inputFirst).pipe(map(() => `there was no end within ${limitMs / 1000} s`));
  const cut$ = merge(stop$, late$).pipe(
    mergeMap((trouble) => [{ from: 'far' as const, item: { kind: 'ended' as const, trouble } }, null]),
  );
  return merge(connectPeers(readingLines(client), server).pipe(endWith(null)), cut$).pipe(
    takeWhile((item) => item !== null),
  );
};

const toTroubles = ({ value }: TimedTraffic): Item[] =>
  value.from === 'far' && value.item.kind === 'ended' ? [{ kind: 'trouble', trouble: value.item.trouble }] : [];

type Sum = Omit<Facts, 'written' | 'kept'>;

/** The first trouble is the reason; later ones follow from it. */
const sumUp = (sum: Sum, item: Item): Sum => {
  if (item.kind === 'mark') return { ...sum, marks: [...sum.marks, item.mark] };
  if (item.kind === 'trouble') return { ...sum, trouble: sum.trouble || item.trouble };
  return sum;
};

const close = (deps: DemoDeps, sum: Sum): Observable<Shown> =>
  (deps.kept$ ?? of([])).pipe(
    concatMap((kept) => {
      const facts = { ...sum, kept, written: deps.written() };
      const verdict = toVerdict(facts);
      const over: Shown = { kind: 'over', exitCode: verdict.kind === 'shown' ? 0 : 1 };
      return [...toClosing(facts, verdict, deps).map(toLine), over];
    }),
  );

type ClosingDeps = LineOptions & {
  /** Starts this program, before the name of a command. */
  program: readonly string[];
  /** What stays, as lines. Emits once; absent if nothing stays. */
  kept$?: Observable<string[]>;
};

/** All that is shown after the last message. */
const toClosing = ({ kept, ...facts }: Facts, verdict: Verdict, deps: ClosingDeps): string[] => [
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
  ...(kept.length === 0 ? [] : section(deps, 'Kept', kept)),
  ...(verdict.kind === 'shown' ? toNext(deps) : [deps.paint('red', `FAILED: ${verdict.reason}`)]),
];

const INDENT = '  ';

const section = ({ paint }: ClosingDeps, title: string, lines: readonly string[]): string[] => [
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

const toNext = ({ paint, program }: ClosingDeps): string[] => {
  const codexRx = joinWords(program);
  return [
    paint('green', 'OK: asked, approved, run; the file is there, both calls were answered.'),
    '',
    paint('bold', 'Next: give it to your own client'),
    `  ${codexRx} init           lists the clients of this machine`,
    `  ${codexRx} init CLIENT    writes the entry; --undo takes it out again`,
    '  By hand, such as in Claude Code:',
    `    claude mcp add codex -- ${codexRx} mcp-server`,
    '  A real model: set OPENAI_API_KEY, or name a provider in config.toml.',
    '  More: README.md, docs/clients.md, docs/configuration.md',
  ];
};

type Facts = {
  marks: readonly Mark[];
  /** Why it ended early; '' if it did not. */
  trouble: string;
  /** What stays, as lines. */
  kept: readonly string[];
  /** Content of the file; undefined if there is none. */
  written: string | undefined;
};

type Verdict = { kind: 'shown'; codex: ToolResult } | { kind: 'failed'; reason: string };

const resultOf = (marks: readonly Mark[], symbol: string): ToolResult | undefined => {
  const message = marks.find((mark) => mark.lane === 'answer' && mark.symbol === symbol)?.message;
  return message?.kind === 'response' ? toToolResult(message) : undefined;
};

/** The first thing that is not as it should be, or the result of the call. */
export const toVerdict = ({ marks, trouble, written }: Omit<Facts, 'kept'>): Verdict => {
  const [codex, reply] = [resultOf(marks, 'C'), resultOf(marks, 'R')];
  const failed = (reason: string): Verdict => ({ kind: 'failed', reason });
  if (trouble !== '') return failed(trouble);
  if (!codex) return failed('the call of codex got no answer with text and structuredContent');
  if (marks.some(({ symbol, lane }) => lane === 'question' && symbol === 'x'))
    return failed(`the command was declined, so ${FILE} was not written`);
  if (!marks.some(({ symbol }) => symbol === 'Q')) return failed('nobody was asked before the command ran');
  if (written !== CONTENT)
    return failed(`${FILE} ${written === undefined ? 'was not written' : 'holds something else'}`);
  if (!reply) return failed('the call of codex-reply got no answer with text and structuredContent');
  return { kind: 'shown', codex };
};
