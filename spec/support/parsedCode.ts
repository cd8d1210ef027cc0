/** Files of TypeScript as trees, for the specs that check the code itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from '@typescript/typescript6';

/** A file by its path in the folder that is checked. */
export type Parsed = { path: string; file: ts.SourceFile };

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : path.endsWith('.ts') ? [path] : [];
  });

/** The rules read docblocks as text: their trees would take a sixth of the time. */
const WITHOUT_DOCBLOCKS = {
  languageVersion: ts.ScriptTarget.ES2022,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
} as const;

/** The text of one file as a tree. */
export const parse = (path: string, text: string): Parsed => ({
  path,
  file: ts.createSourceFile(path, text, WITHOUT_DOCBLOCKS, true),
});

const parseFolder = (folder: string): Parsed[] =>
  filesOf(folder).map((path) => parse(relative(folder, path), readFileSync(path, 'utf8')));

/** What `parseAll` has parsed. Changed in place. */
const FOLDERS = new Map<string, readonly Parsed[]>();

/** All files of a folder, and of the folders in it. They take seconds, so they are parsed once. */
export const parseAll = (folder: string): readonly Parsed[] => {
  const parsed = FOLDERS.get(folder) ?? parseFolder(folder);
  FOLDERS.set(folder, parsed);
  return parsed;
};

const allNodes = (root: ts.Node): readonly ts.Node[] => {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
};

const NODES = new WeakMap<ts.Node, readonly ts.Node[]>();

/** A node and all below it, as they stand in the text. Most rules look at all nodes of a file, so they are listed once. */
export const nodesOf = (root: ts.Node): readonly ts.Node[] => {
  const nodes = NODES.get(root) ?? allNodes(root);
  NODES.set(root, nodes);
  return nodes;
};

/** The line that a position is in, from 1 on. */
export const lineOf = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(position).line + 1;
