/** The bash grammar: when it is loaded, and which scripts it parses. What a tree means is decided elsewhere. */
import { catchError, defer, from, map, type Observable, of, shareReplay } from 'rxjs';
import type { Node, Parser } from 'web-tree-sitter';
import type { Log } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import type { GrammarFiles } from './loadGrammar';
import { meaningOf } from './readTrust';
import {
  type CommandsIn,
  type KnownWords,
  type ReadScript,
  type Sequence,
  UNKNOWN,
  type Word,
  type WordsIn,
} from './script';

/** Loaded by the first script that is parsed, or before: a first call without a command does without. */
export const grammarModule = lazy(() => require('./loadGrammar') as typeof import('./loadGrammar'));

export type BashDeps = GrammarFiles & {
  log: Log;
  /** Runs the compilation of these files. */
  compiling?: <T>(load: () => Promise<T>) => Promise<T>;
};

/** Longer scripts are not parsed: time in the parser grows with the square of a broken script (16 KB took 7 s, 4 KB 0.3 s). */
const MAX_LENGTH = 4096;

/** False if the tree cannot be word-only: redirections, expansions, subshells, background commands, open quotes. */
const MAY_BE_WORDS = /^(?:[^\\'"$`()<>&]|&&|\\.|'[^']*'|"(?:[^"\\$`]|\\.)*")*$/s;

const parseWith = <T>(parser: Parser, script: string, read: (root: Node) => T): T | undefined => {
  const tree = parser.parse(script);
  const result = tree ? read(tree.rootNode) : undefined;
  tree?.delete(); // trees live outside the garbage-collected heap
  return result;
};

type BashReaders = { read: ReadScript; commandsIn: CommandsIn; wordsIn: WordsIn };

/**
 * Parses scripts with the real grammar. Make one per process: web-tree-sitter holds one runtime for all.
 * @param deps.wasm read once, on the first script that may be word-only; a failed load is logged and tried again
 * Each emits once per script and completes; undefined (so a person is asked) when the grammar is missing. Never errors.
 *   read('ls')       ---(a|)  the first time; (a|) after that
 *   read('ls > out') (u|)     without loading anything
 * Source: Codex 0.28.0 uses tree-sitter-bash 0.25.0; web-tree-sitter 0.27.1 with tree-sitter-bash 0.25.1 decides in the same way.
 */
export const bashReaders = (deps: BashDeps): BashReaders => {
  const { compiling = (run) => run() } = deps;
  const parser$: Observable<Parser> = defer(() => from(compiling(() => grammarModule().loadGrammar(deps)))).pipe(
    shareReplay(1),
  );
  const parsed = <T>(script: string, read: (root: Node) => T | undefined): Observable<T | undefined> =>
    script.length > MAX_LENGTH
      ? of(undefined)
      : parser$.pipe(
          map((parser) => parseWith(parser, script, read)),
          catchError((error) => {
            deps.log('error', 'the bash grammar cannot be used, so scripts are not trusted', { error: String(error) });
            return of(undefined);
          }),
        );
  return {
    read: (script) => (MAY_BE_WORDS.test(script) ? parsed(script, toSequence) : of(undefined)),
    commandsIn: (script) => parsed(script, toCommands),
    wordsIn: (script) => parsed(script, toLiterals),
  };
};

const KINDS = new Set([
  ...['program', 'list', 'pipeline', 'command', 'command_name'],
  ...['word', 'number', 'string', 'string_content', 'raw_string', 'concatenation'],
]);
const TOKENS = new Set(['&&', '||', ';', '|', '"', "'"]);

const isKnown = (node: Node): boolean =>
  node.isNamed ? KINDS.has(node.type) : TOKENS.has(node.type) || node.type.trim() === '';

const isWordOnly = (node: Node): boolean => isKnown(node) && node.children.every(isWordOnly);

/** A string must consist of exactly one piece: `""` has none, a string with a newline has two. */
const textOf = (node: Node): string | undefined => {
  if (node.type === 'word' || node.type === 'number') return node.text;
  if (node.type === 'raw_string') return node.text.slice(1, -1);
  if (node.type === 'string' && node.childCount === 3) return node.child(1)?.text;
  const isQuoted = node.children.some(({ type }) => type === 'string' || type === 'raw_string');
  const parts = node.type === 'concatenation' && isQuoted ? node.children.map(textOf) : [undefined]; // `{a,b}` is one too
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
};

const toWord = (node: Node): Word[] => {
  const named = node.type === 'command_name' ? node.firstChild : node;
  const mayName = node.type !== 'command_name' || named?.type === 'word'; // a quoted name is not read
  const text = named && mayName ? textOf(named) : undefined;
  return named && text !== undefined ? [{ text, raw: named.text }] : [];
};

const toWords = (command: Node): Word[][] => {
  const words = command.namedChildren.map(toWord);
  return words.every((word) => word.length === 1) ? [words.flat()] : [];
};

/** The commands of a tree that is a word-only sequence, otherwise undefined. Source: Codex 0.28.0, 440 recorded decisions. */
export const toSequence = (root: Node): Sequence | undefined => {
  const commands = !root.hasError && isWordOnly(root) ? root.descendantsOfType('command') : [];
  const read = commands.flatMap(toWords);
  return read.length > 0 && read.length === commands.length ? read : undefined;
};

/** What may stand in a command besides its words. */
const NO_WORDS = /^(?:variable_assignment|\w*redirect|\w*heredoc\w*|comment)$/;

/** Every command of a tree, wherever it stands; undefined if bash may read the script in another way than the grammar. */
const toCommands = (root: Node): KnownWords[] | undefined =>
  root.hasError ? undefined : root.descendantsOfType('command').flatMap((node) => withoutKeywords(wordsOf(node)));

const wordsOf = (command: Node): KnownWords => {
  const own = command.namedChildren.filter(({ type }) => !NO_WORDS.test(type));
  return [...own, ...wordsBehind(command)].map(knownOf);
};

/** The words of a command behind its redirections, which the grammar takes for theirs: `git >out push`. */
const wordsBehind = (command: Node, within: Node = command): Node[] => {
  const { parent } = within;
  if (parent === null || within.endIndex !== command.endIndex) return [];
  const redirects = parent.type === 'redirected_statement' ? parent.childrenForFieldName('redirect') : [];
  return [...redirects.flatMap(wordsIn), ...wordsBehind(command, parent)];
};

/** A redirection without a file. */
const CLOSING = /^[<>]&-$/;

const wordsIn = (redirect: Node): Node[] => [
  ...redirect
    .childrenForFieldName('destination')
    .slice(redirect.children.some(({ type }) => CLOSING.test(type)) ? 0 : 1),
  ...redirect.childrenForFieldName('argument'),
  ...redirect.childrenForFieldName('redirect').flatMap(wordsIn),
];

/** What may stand between `time` or `coproc` and its command. */
const BETWEEN = /^(?:time|coproc|!|-p|--|\w+\+?=.*)$/s;
const RESERVED = /^(?:[{}]|if|then|elif|else|fi|while|until|for|select|do|done|case|esac|function)$/;

/** Without `time` and `coproc`, which the grammar takes for programs. What is compound behind them it does not read at all. */
const withoutKeywords = (words: KnownWords): KnownWords[] => {
  const isKeyword = words[0] === 'time' || words[0] === 'coproc';
  const at = isKeyword ? words.findIndex((word) => word === undefined || !BETWEEN.test(word)) : 0;
  const command = at < 0 ? [] : words.slice(at);
  const isMisread = command.slice(0, isKeyword ? 2 : 1).some((word) => word !== undefined && RESERVED.test(word)); // `coproc NAME {`
  return [command, ...(isKeyword ? [words] : []), ...(isMisread ? [UNKNOWN] : [])];
};

/** The argument that a program gets; undefined if it depends on files or the environment. */
const knownOf = (node: Node): string | undefined => {
  switch (node.type) {
    case 'command_name':
      return node.firstChild === null ? undefined : knownOf(node.firstChild);
    case 'word':
    case 'number':
      return /[*?[{~]/.test(node.text) && node.text !== '{'
        ? undefined
        : node.text.replace(/\\(.)/gs, (_, char) => (char === '\n' ? '' : char));
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string':
      return node.namedChildren.every(({ type }) => type === 'string_content') ? meaningOf(node.text) : undefined;
    case 'concatenation': {
      const parts = node.children.map(knownOf);
      return parts.some((part) => part === undefined) ? undefined : parts.join('');
    }
    default:
      return undefined;
  }
};

/** What holds words. A loop and a function are none of these: they may enter a folder more than once. */
const HOLDERS = new Set([
  ...['program', 'list', 'pipeline', 'command', 'subshell', 'compound_statement', 'negated_command'],
  ...['redirected_statement', 'file_redirect', 'declaration_command', 'variable_assignments'],
  ...['if_statement', 'elif_clause', 'else_clause'],
]);
const NO_NAMES = new Set(['comment', 'file_descriptor', 'variable_name']);

/** Every word of a tree; undefined if one of them, or what they are to each other, is not certain. */
const toLiterals = (root: Node): readonly string[] | undefined => {
  const words = root.hasError ? [undefined] : literalsOf(root);
  return words.every((word) => word !== undefined) ? words : undefined;
};

const literalsOf = (node: Node): KnownWords => {
  if (!node.isNamed) return node.type === '$' ? [undefined] : []; // `$"…"` is translated
  if (NO_NAMES.has(node.type)) return [];
  if (node.type === 'variable_assignment') return [assignmentOf(node)];
  if (!HOLDERS.has(node.type)) return [knownOf(node)];
  const words = node.children.flatMap(literalsOf);
  return node.type === 'command' && !isCertainMove(words) ? [undefined] : words;
};

const assignmentOf = ({ namedChildren: [name, value] }: Node): string | undefined => {
  const text = value === undefined ? '' : knownOf(value);
  return name?.type === 'variable_name' && text !== undefined ? `${name.text}=${text}` : undefined;
};

/** True if a command stays in its folder, or enters a folder that it names. */
const isCertainMove = (words: KnownWords): boolean => {
  const at = words.findIndex((word) => word !== undefined && /^(?:cd|pushd|popd)$/.test(word));
  return at < 0 || (words.length === at + 2 && /^[^-+]/.test(words[at + 1] ?? ''));
};
