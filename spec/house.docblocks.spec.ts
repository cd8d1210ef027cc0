/** What the docblocks of the code say: each door has one, and so has each of its exports, which is a sentence. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from '@typescript/typescript6';

const ROOT = resolve(__dirname, '../src');

type Files = ReadonlyMap<string, ts.SourceFile>;
type Export = { path: string; name: string };

const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? pathsIn(path) : path.endsWith('.ts') ? [path] : [];
  });

const parseAll = (texts: Readonly<Record<string, string>>): Files =>
  new Map(
    Object.entries(texts).map(([path, text]) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)]),
  );

/** The names that a file exports from others, with the file that each comes from. */
const passedOn = (path: string, file: ts.SourceFile): (Export & { as: string })[] =>
  file.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) return [];
    const { exportClause, moduleSpecifier } = statement;
    if (!ts.isNamedExports(exportClause) || moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier))
      return [];
    const from = join(dirname(path), moduleSpecifier.text);
    return exportClause.elements.map(({ name, propertyName }) => ({
      path: from,
      name: (propertyName ?? name).text,
      as: name.text,
    }));
  });

/** Where an export is declared, through the files that pass it on; undefined for what is of a package. */
const originOf = (files: Files, { path, name }: Export): Export | undefined => {
  const own = [`${path}.ts`, `${path}/index.ts`].find((one) => files.has(one));
  if (own === undefined) return undefined;
  const inner = passedOn(own, files.get(own) as ts.SourceFile).find(({ as }) => as === name);
  return inner ? originOf(files, inner) : { path: own, name };
};

const exportsOfDoors = (files: Files): Export[] => [
  ...new Map(
    [...files]
      .filter(([path]) => path.endsWith('index.ts'))
      .flatMap(([path, file]) => passedOn(path, file).flatMap((one) => originOf(files, one) ?? []))
      .map((one) => [`${one.path} ${one.name}`, one]),
  ).values(),
];

/** Doors that do not begin with a docblock. */
const untitledDoors = (files: Files): string[] =>
  [...files].flatMap(([path, { text }]) =>
    path.endsWith('index.ts') && !text.startsWith('/**') ? [`src/${path} does not begin with a docblock`] : [],
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

/** The exports of doors whose docblock is missing, or is no sentence. */
const undescribed = (files: Files): string[] =>
  exportsOfDoors(files).flatMap(({ path, name }) => {
    const file = files.get(path);
    const statement = file?.statements.find((one) => namesOf(one).includes(name));
    if (file === undefined || statement === undefined) return [`src/${path} does not declare ${name}`];
    const text = docblockOf(file, statement);
    if (text === undefined) return [`src/${path}: ${name} has no docblock`];
    return isSentence(text, name) ? [] : [`src/${path}: the docblock of ${name} is no sentence: ${text}`];
  });

const sources = parseAll(
  Object.fromEntries(pathsIn(ROOT).map((path) => [relative(ROOT, path), readFileSync(path, 'utf8')])),
);

describe('the exports of the doors', () => {
  it('have a docblock that is a sentence', () => {
    expect(exportsOfDoors(sources).length).toBeGreaterThan(500);
    expect(undescribed(sources)).toEqual([]);
  });
});

describe('the doors', () => {
  it('begin with a docblock', () => {
    expect(untitledDoors(sources)).toEqual([]);
  });
});

describe('this spec', () => {
  const seen = (declaration: string, exported = 'a') =>
    undescribed(parseAll({ 'x/index.ts': `export { ${exported} } from './a';`, 'x/a.ts': declaration }));

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

  it('sees a door without a first line', () => {
    const files = { 'x/index.ts': "export { a } from './a';", 'x/a.ts': '', 'y/index.ts': '/** The door of y. */' };
    expect(untitledDoors(parseAll(files))).toEqual(['src/x/index.ts does not begin with a docblock']);
  });

  it('passes over what a package has', () => {
    expect(seen("export { b as a } from 'package';")).toEqual([]);
  });

  it('finds what a door exports by another name, and through a door within', () => {
    expect(seen('export const b = 1;', 'b as a')).toEqual(['src/x/a.ts: b has no docblock']);
    const inner = { 'x/index.ts': "export { a } from './y';", 'x/y/index.ts': "export { b as a } from './b';" };
    expect(undescribed(parseAll({ ...inner, 'x/y/b.ts': 'export const b = 1;' }))).toEqual([
      'src/x/y/b.ts: b has no docblock',
    ]);
  });

  it('asks nothing of what stays within a room', () => {
    expect(undescribed(parseAll({ 'x/index.ts': '', 'x/a.ts': 'export const a = 1;' }))).toEqual([]);
  });
});
