/** Reads a bash syntax tree as a sequence of plain commands. */
import type { Node } from 'web-tree-sitter';
import type { Sequence, Word } from './script';

const KINDS = new Set([
  ...['program', 'list', 'pipeline', 'command', 'command_name'],
  ...['word', 'number', 'string', 'string_content', 'raw_string'],
]);
const TOKENS = new Set(['&&', '||', ';', '|', '"', "'"]);

const isKnown = (node: Node): boolean =>
  node.isNamed ? KINDS.has(node.type) : TOKENS.has(node.type) || node.type.trim() === '';

const isWordOnly = (node: Node): boolean => isKnown(node) && node.children.every(isWordOnly);

/** A string must consist of exactly one piece: `""` has none, one with a newline has two. */
const textOf = (node: Node): string | undefined => {
  if (node.type === 'word' || node.type === 'number') return node.text;
  if (node.type === 'raw_string') return node.text.slice(1, -1);
  if (node.type === 'string' && node.childCount === 3) return node.child(1)?.text;
  return undefined;
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

/**
 * The commands of a tree if it is a word-only sequence, otherwise undefined.
 * Source: Codex 0.28.0, 440 recorded decisions; the kinds above are all it accepts.
 */
export const toSequence = (root: Node): Sequence | undefined => {
  const commands = !root.hasError && isWordOnly(root) ? root.descendantsOfType('command') : [];
  const read = commands.flatMap(toWords);
  return read.length > 0 && read.length === commands.length ? read : undefined;
};
