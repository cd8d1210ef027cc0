/** What the docblocks of the code say: each file begins with one, and what one wing takes from another has one that is a sentence. */
import { dirname, join, resolve } from 'node:path';
import ts from '@typescript/typescript6';
import { parse, parseAll } from '../support/parsedCode';

const ROOT = resolve(__dirname, '../../src');

type Files = ReadonlyMap<string, ts.SourceFile>;
type Export = { path: string; name: string };

const parseTexts = (texts: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(texts).map(([path, text]) => [path, parse(path, text).file]));

/** The names that a file takes from others of this repository, with the file that each comes from. */
const takenBy = (path: string, file: ts.SourceFile): Export[] =>
  file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const names = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    const { moduleSpecifier } = statement;
    if (names === undefined || !(ts.isNamedImports(names) || ts.isNamedExports(names))) return [];
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const from = `${join(dirname(path), moduleSpecifier.text)}.ts`;
    return names.elements.map(({ name, propertyName }) => ({ path: from, name: (propertyName ?? name).text }));
  });

const wingOf = (path: string): string | undefined => path.split('/')[0];

/** What a wing takes from another, each once. What a file passes on has its docblock where it is defined. */
const takenAcrossWings = (files: Files): Export[] => [
  ...new Map(
    [...files]
      .flatMap(([path, file]) => takenBy(path, file).filter((one) => wingOf(one.path) !== wingOf(path)))
      .filter((one) => files.has(one.path))
      .map((one) => [`${one.path} ${one.name}`, one]),
  ).values(),
];

/** Files that do not begin with a docblock. */
const untitled = (files: Files): string[] =>
  [...files].flatMap(([path, { text }]) =>
    text.startsWith('/**') ? [] : [`src/${path} does not begin with a docblock`],
  );

const namesOf = (statement: ts.Statement): string[] => {
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
    return statement.exportClause.elements.map(({ name }) => name.text);
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
};

/** The text of the docblock right before a statement, in one line. */
const docblockOf = ({ text }: ts.SourceFile, statement: ts.Statement): string | undefined => {
  const last = ts.getLeadingCommentRanges(text, statement.getFullStart())?.at(-1);
  const comment = last === undefined ? '' : text.slice(last.pos, last.end);
  if (!comment.startsWith('/**')) return undefined;
  const lines = comment.slice(3, -2).split('\n');
  return lines
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim();
};

/** At least three words, the first of them in upper case or code; not only the name of what stands below. */
const isSentence = (text: string, name: string): boolean =>
  /^(?:[A-Z0-9`'"(]|@param )/.test(text) &&
  text.split(' ').length >= 3 &&
  !new RegExp(`^(?:The|A|An) ${name}(?: (?:type|function|constant|interface))?\\.?$`, 'i').test(text);

/** What other wings take, and whose docblock is missing, or is no sentence. */
const undescribed = (files: Files): string[] =>
  takenAcrossWings(files).flatMap(({ path, name }) => {
    const file = files.get(path);
    const statement = file?.statements.find((one) => namesOf(one).includes(name));
    if (file === undefined || statement === undefined) return [`src/${path} does not declare ${name}`];
    if (ts.isExportDeclaration(statement)) return [];
    const text = docblockOf(file, statement);
    if (text === undefined) return [`src/${path}: ${name} has no docblock`];
    return isSentence(text, name) ? [] : [`src/${path}: the docblock of ${name} is no sentence: ${text}`];
  });

const sources: Files = new Map(parseAll(ROOT).map(({ path, file }) => [path, file]));

describe('the files', () => {
  it('begin with a docblock', () => {
    expect(untitled(sources)).toEqual([]);
  });
});

describe('what one wing takes from another', () => {
  it('has a docblock that is a sentence', () => {
    expect(takenAcrossWings(sources).length).toBeGreaterThan(500);
    expect(undescribed(sources)).toEqual([]);
  });
});

describe('this spec', () => {
  const seen = (declaration: string, taken = 'a') =>
    undescribed(parseTexts({ 'y/b.ts': `import { ${taken} } from '../x/a';`, 'x/a.ts': declaration }));

  it.each([
    ['a sentence', '/** Adds one to a number. */\nexport const a = 1;'],
    ['one of several lines', '/**\n * Adds one.\n * @param b a number\n */\nexport const a = 1;'],
    ['what its params are', '/** @param b a number */\nexport type a = { b: number };'],
    ['code at its beginning', '/** `b` is a number. */\nexport type a = { b: number };'],
  ])('takes %s', (_, declaration) => {
    expect(seen(declaration)).toEqual([]);
  });

  it.each([
    ['no docblock', 'export const a = 1;', 'src/x/a.ts: a has no docblock'],
    ['a plain comment', '// Adds one to a number.\nexport const a = 1;', 'src/x/a.ts: a has no docblock'],
    [
      'that of the file alone',
      "/** Adds one to a number. */\nimport 'b';\nexport const a = 1;",
      'src/x/a.ts: a has no docblock',
    ],
    [
      'its name again',
      '/** The a type. */\nexport type a = 1;',
      'src/x/a.ts: the docblock of a is no sentence: The a type.',
    ],
    ['a word', '/** Adds. */\nexport const a = 1;', 'src/x/a.ts: the docblock of a is no sentence: Adds.'],
    [
      'part of a sentence',
      '/** and its end. */\nexport const a = 1;',
      'src/x/a.ts: the docblock of a is no sentence: and its end.',
    ],
    ['nothing at all', 'const b = 1;', 'src/x/a.ts does not declare a'],
  ])('sees %s', (_, declaration, expected) => {
    expect(seen(declaration)).toEqual([expected]);
  });

  it('sees a file without a first line', () => {
    expect(untitled(parseTexts({ 'x/a.ts': 'const a = 1;', 'y/a.ts': '/** Its topic. */' }))).toEqual([
      'src/x/a.ts does not begin with a docblock',
    ]);
  });

  it('passes over what a package has', () => {
    expect(undescribed(parseTexts({ 'x/a.ts': "import { a } from 'package';" }))).toEqual([]);
  });

  it('asks nothing of what stays within a wing', () => {
    expect(undescribed(parseTexts({ 'x/b.ts': "import { a } from './a';", 'x/a.ts': 'export const a = 1;' }))).toEqual(
      [],
    );
  });
});
