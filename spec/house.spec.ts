/**
 * The shape and the language of the code: sizes, no constant that hides a variable, field terms, specs of all behaviour. The other rules of the house
 * are imported, as all of them read the same trees, which take longer to parse than to check.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from '@typescript/typescript6';
import { afterColon } from '../src/streams/text/reasons';
import './house/docblocks';
import './house/floors';
import './house/paths';
import { COVERED_BY } from './support/coveredBy';
import { lineOf, nodesOf, type Parsed, parse, parseAll } from './support/parsedCode';

const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 30;
const MAX_PARAMETERS = 3;
const MAX_COMMENT_WIDTH = 160;

/**
 * Words that say less than the terms of the field (an event is emitted, a message is sent or received), or that a reader must think about: write the noun
 * again for "one that" and "those that", "undefined if" for "undefined where", "again" for "anew".
 */
const VAGUE =
  /(?<![a-zA-Z])(told|said|heard|hears|news|anew|attended|taken back|undefined where|[Oo]ne that|[Tt]hose that)(?![a-z])|(Told|Said|Heard|Hears|News)(?![a-z])/;

/** The same for the names of specs, which must not use verbs of speech for what a stream does. */
const VAGUE_NAME = /(?<![a-zA-Z])(told|tells?|said|says?|heard|hears?|news|anew)(?![a-zA-Z])/i;

/** The same for comments and identifiers of specs; what their texts hold is data. */
const VAGUE_IN_SPECS =
  /(?<![a-zA-Z])(told|tells?|said|heard|hears?|news)(?![a-zA-Z])|(Told|Said|Heard|Hears|News)(?![a-z])/;

const ROOT = resolve(__dirname, '../src');
const SPECS = __dirname;

const linesOf = (file: ts.SourceFile, node: ts.Node): number =>
  lineOf(file, node.end) - lineOf(file, node.getStart()) + 1;

const isFunction = (node: ts.Node): node is ts.ArrowFunction | ts.FunctionDeclaration | ts.MethodDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

const place = ({ path, file }: Parsed, node: ts.Node): string => `src/${path}:${lineOf(file, node.getStart())}`;

/** Errors whose texts stand alone. The texts of the others may follow words of theirs, or are those of Codex. */
const ALONE = /^(?:(?:Score|Tape|Tasks|Thread|Usage)Error|CannotBegin)$/;

/** What is wrong with the form of a text that stands alone; `afterColon` writes it behind the name of a command. */
const formFault = (text: string): string | undefined => {
  if (/^[a-z]/.test(text)) return 'begins with a small letter';
  if (/^[A-Z][a-z]* /.test(text) && !/^[a-z]/.test(afterColon(text)))
    return 'begins with a word that afterColon does not know';
  const isOne = !/\S[.!?]\s+\S/.test(text);
  if (isOne && /[^}]\.$/.test(text)) return 'is one sentence with a full stop';
  return isOne || /[.!?}]$/.test(text) ? undefined : 'has sentences, the last of which has no full stop';
};

const illFormedErrors = (source: Parsed): string[] =>
  nodesOf(source.file).flatMap((node) => {
    if (!ts.isNewExpression(node) || !ALONE.test(node.expression.getText())) return [];
    const [text] = node.arguments ?? [];
    if (text === undefined || !(ts.isStringLiteralLike(text) || ts.isTemplateExpression(text))) return [];
    const fault = formFault(text.getText().slice(1, -1));
    return fault === undefined ? [] : [`${place(source, node)} ${fault}`];
  });

/** What checks a command line, and so has the texts of what is wrong with it. */
const CHECKS = /problem|flaw/i;

const isWritten = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Texts of wrong command lines that `afterColon` would leave with a capital letter behind the name of the command. */
const illFormedProblems = (source: Parsed): string[] =>
  nodesOf(source.file)
    .filter(
      (node) => (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && CHECKS.test(node.name.getText()),
    )
    .flatMap((check) => inside(check).filter(isWritten))
    .filter((text) => /^[A-Z][a-z]+ /.test(textOf(text)) && afterColon(textOf(text)) === textOf(text))
    .map((text) => `${place(source, text)} begins with a word that afterColon does not know`);

const textOf = (node: ts.Node): string => node.getText().slice(1, -1);

const inside = (node: ts.Node): ts.Node[] => {
  const found: ts.Node[] = [node];
  ts.forEachChild(node, (child) => {
    found.push(...inside(child));
  });
  return found;
};

const functionsOf = ({ file }: Parsed) => nodesOf(file).filter(isFunction);

const longFiles = ({ path, file }: Parsed): string[] => {
  const lines = lineOf(file, file.text.trimEnd().length);
  return lines > MAX_FILE_LINES ? [`src/${path} has ${lines} lines`] : [];
};

const longFunctions = (source: Parsed): string[] =>
  functionsOf(source)
    .filter((node) => linesOf(source.file, node) > MAX_FUNCTION_LINES)
    .map((node) => `${place(source, node)} has ${linesOf(source.file, node)} lines`);

const wideFunctions = (source: Parsed): string[] =>
  functionsOf(source)
    .filter(({ parameters }) => parameters.length > MAX_PARAMETERS)
    .map((node) => `${place(source, node)} has ${node.parameters.length} parameters`);

/** What an assignment, `++` or `--` writes to. */
const writtenBy = (node: ts.Node): ts.Node | undefined => {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return assigns ? node.left : undefined;
  }
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return undefined;
  const steps = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken];
  return steps.includes(node.operator) ? node.operand : undefined;
};

const objectConstants = (nodes: readonly ts.Node[]): Set<string> =>
  new Set(
    nodes.flatMap((node) =>
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer !== undefined &&
      ts.isObjectLiteralExpression(node.initializer)
        ? [node.name.text]
        : [],
    ),
  );

const disguisedVariables = (source: Parsed): string[] => {
  const nodes = nodesOf(source.file);
  const constants = objectConstants(nodes);
  return nodes.flatMap((node) => {
    const target = writtenBy(node);
    if (target === undefined || !ts.isPropertyAccessExpression(target) || !ts.isIdentifier(target.expression))
      return [];
    const { text } = target.expression;
    return constants.has(text) ? [`${place(source, node)} writes to the constant ${text}`] : [];
  });
};

/** `{ ...{ a, b } }`, which is `{ a, b }` in fewer lines. */
const spreadLiterals = (source: Parsed): string[] =>
  nodesOf(source.file)
    .filter((node) => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
    .map((node) => `${place(source, node)} spreads an object literal`);

/** Two lists of names from one module, which are one list in fewer lines. */
const doubledImports = ({ path, file }: Parsed): string[] => {
  const modules = file.statements.flatMap((one) =>
    ts.isImportDeclaration(one) && one.importClause?.namedBindings && ts.isNamedImports(one.importClause.namedBindings)
      ? [one.moduleSpecifier.getText(file)]
      : [],
  );
  return modules.filter((one, i) => modules.indexOf(one) !== i).map((one) => `${path} imports ${one} twice`);
};

/** The file that makes the operators of `streams` which cannot be composed of others. */
const BY_HAND = 'streams/operate.ts';

/** The edges of the process, where Observables begin. */
const AT_EDGES = /^(io\/(disk|http|processes|sockets|stdio)|fleet\/link)\//;

const observablesByHand = (source: Parsed): string[] => {
  if (AT_EDGES.test(source.path) || source.path === BY_HAND) return [];
  return nodesOf(source.file)
    .filter((node) => ts.isNewExpression(node) && node.expression.getText() === 'Observable')
    .map((node) => `${place(source, node)} makes an Observable by hand`);
};

/** Files that patch a package or a page once. */
const PATCHES = /^(fleet\/link\/natsPackages\.ts$|tapes\/page\/browser\/)/;

/**
 * A function that is assigned to a property where it is written: V8 allocates it among the old objects, where it holds all that it refers to
 * until the next full collection. A variable in between avoids that.
 */
const assignedFunctions = (source: Parsed): string[] =>
  nodesOf(source.file)
    .filter(
      (node) =>
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        !ts.isIdentifier(node.left) &&
        isFunction(node.right),
    )
    .map((node) => `${place(source, node)} assigns a function to a property`);

const vagueLines = ({ path, file }: Parsed): string[] =>
  file.text.split('\n').flatMap((line, index) => {
    const [word] = VAGUE.exec(line) ?? [];
    return word === undefined
      ? []
      : [`src/${path}:${index + 1} writes ${word}; VAGUE in spec/house.spec.ts names better words`];
  });

/** A room whose files no spec imports: it runs in a browser, where spec/peers/tapes/page.spec.ts runs it. */
const COVERED_AS_A_WHOLE = /^tapes\/page\/browser\//;

/** True for a file that exports a function or a command: an operator, a reducer, a conversion. Types and tables export none. */
const hasBehaviour = ({ path, file }: Parsed): boolean =>
  !path.endsWith('index.ts') && file.statements.some((statement) => isExported(statement) && isCallable(statement));

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isCallable = (node: ts.Statement): boolean =>
  ts.isFunctionDeclaration(node) ||
  (ts.isVariableStatement(node) &&
    node.declarationList.declarations.some(
      ({ initializer: value }) =>
        value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || isCommand(value)),
    ));

const isCommand = (value: ts.Expression): boolean =>
  ts.isCallExpression(value) && value.expression.getText() === 'defineCommand';

/** The files of src that a spec imports. */
const coveredFiles = (specFiles: readonly Parsed[]): Set<string> =>
  new Set(
    specFiles
      .filter(({ path }) => path.endsWith('.spec.ts'))
      .flatMap(({ path, file }) =>
        [...file.text.matchAll(/ from '(\.[^']*)'/g)].map(([, to = '']) => join('spec', dirname(path), to)),
      )
      .map((path) => `${path.replace(/^src\//, '')}.ts`),
  );

/** Files with behaviour that no spec imports, has the name of, or is named to cover. */
const withoutSpec = (files: readonly Parsed[], specFiles: readonly Parsed[]): string[] => {
  const covered = coveredFiles(specFiles);
  const known = new Set(specFiles.map(({ path }) => path));
  const isNamed = (path: string) => known.has(path.replace(/\.ts$/, '.spec.ts'));
  return files
    .filter((source) => hasBehaviour(source) && !COVERED_AS_A_WHOLE.test(source.path))
    .filter(({ path }) => !covered.has(path) && !isNamed(path) && COVERED_BY[path] === undefined)
    .map(({ path }) => `no spec imports src/${path}`);
};

/** `it`, of `it`, `it.each(table)`, `needs('root').it` and the like. */
const rootOf = (node: ts.Expression): string => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) && ['it', 'describe'].includes(node.name.text)) return node.name.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : '';
};

/** The text of each `it` and `describe`, without tables. */
const specNamesOf = ({ file }: Parsed): ts.Expression[] =>
  nodesOf(file).flatMap((node) => {
    if (!ts.isCallExpression(node) || !['it', 'describe'].includes(rootOf(node.expression))) return [];
    const [name] = node.arguments;
    return name !== undefined && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name)) ? [name] : [];
  });

const vagueNames = ({ path, file }: Parsed): string[] =>
  specNamesOf({ path, file }).flatMap((name) => {
    const [word] = VAGUE_NAME.exec(name.getText()) ?? [];
    return word === undefined
      ? []
      : [`spec/${path}:${lineOf(file, name.getStart())} is named with ${word}: see VAGUE_NAME`];
  });

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node);

/** The text of a file without its literals, in the same lines. */
const withoutTexts = ({ file }: Parsed): string => {
  const parts: string[] = [];
  let at = 0;
  for (const node of nodesOf(file).filter(isText)) {
    if (node.getStart() < at) continue;
    parts.push(file.text.slice(at, node.getStart()), '\n'.repeat(linesOf(file, node) - 1));
    at = node.end;
  }
  return [...parts, file.text.slice(at)].join('');
};

const vagueWords = (source: Parsed): string[] =>
  withoutTexts(source)
    .split('\n')
    .flatMap((line, index) => {
      const [word] = VAGUE_IN_SPECS.exec(line) ?? [];
      return word === undefined ? [] : [`spec/${source.path}:${index + 1} writes ${word}`];
    });

/** Lines of comments, also after code, that no screen shows as a whole. */
const wideComments =
  (folder: string) =>
  (source: Parsed): string[] => {
    const lines = source.file.text.split('\n');
    const isComment = /^\s*(\/\*|\*)|\/\//;
    return withoutTexts(source)
      .split('\n')
      .flatMap((code, index) => {
        const width = lines[index]?.length ?? 0;
        return isComment.test(code) && width > MAX_COMMENT_WIDTH
          ? [`${folder}/${source.path}:${index + 1} has a comment line of ${width} characters`]
          : [];
      });
  };

const MOST_FILES = 25;
/** A file a command. */
const COMMANDS = 'cli/commands';

/** Folders of too many files; the counts of those above the limit. */
const fullFolders = (files: readonly Pick<Parsed, 'path'>[]): string[] => {
  const counts = new Map<string, number>();
  for (const folder of files.map(({ path }) => dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) =>
    count > MOST_FILES && folder !== COMMANDS ? [`${folder} has ${count} files`] : [],
  );
};

const sources = parseAll(ROOT);
const specFiles = parseAll(SPECS);
const specs = specFiles.filter(({ path }) => path.endsWith('.spec.ts'));

describe('the code', () => {
  it('has no file above 250 lines', () => {
    expect(sources.flatMap(longFiles)).toEqual([]);
  });

  it('has no folder of more than 25 files, nor have its specs', () => {
    expect([...fullFolders(sources), ...fullFolders(specFiles)]).toEqual([]);
  });

  it('has no function above 30 lines', () => {
    expect(sources.flatMap(longFunctions)).toEqual([]);
  });

  it('has no function with more than three parameters', () => {
    expect(sources.flatMap(wideFunctions)).toEqual([]);
  });

  it('has no constant object that is written to later', () => {
    expect(sources.flatMap(disguisedVariables)).toEqual([]);
  });

  it('spreads no object literal', () => {
    expect([...sources, ...specFiles].flatMap(spreadLiterals)).toEqual([]);
  });

  it('imports from each module once, and so do its specs', () => {
    expect([...sources, ...specFiles].flatMap(doubledImports)).toEqual([]);
  });

  it('assigns no function to a property where it is written', () => {
    expect(sources.filter(({ path }) => !PATCHES.test(path)).flatMap(assignedFunctions)).toEqual([]);
  });

  it('makes Observables by hand only at the edges, and in one file of streams', () => {
    expect(sources.flatMap(observablesByHand)).toEqual([]);
  });

  it('has no comment line above 160 characters, nor have its specs', () => {
    expect([...sources.flatMap(wideComments('src')), ...specFiles.flatMap(wideComments('spec'))]).toEqual([]);
  });

  it('writes in field terms, and none of the words of VAGUE', () => {
    expect(sources.flatMap(vagueLines)).toEqual([]);
  });

  it('writes each error that stands alone with a capital letter, and without a full stop after one sentence', () => {
    expect(sources.flatMap(illFormedErrors)).toEqual([]);
  });

  it('writes what is wrong with a command line in words that can follow the name of the command', () => {
    expect(sources.filter(({ path }) => path.startsWith('cli/')).flatMap(illFormedProblems)).toEqual([]);
  });

  it('has specs of all behaviour', () => {
    expect(withoutSpec(sources, specFiles)).toEqual([]);
    const specPaths = specs.map(({ path }) => path);
    const gone = Object.values(COVERED_BY).filter((path) => !specPaths.includes(path));
    expect(gone.map((path) => `spec/${path}, which spec/support/coveredBy.ts names, is not there`)).toEqual([]);
    const covered = coveredFiles(specFiles);
    const more = Object.keys(COVERED_BY).filter((path) => covered.has(path) || !existsSync(join(ROOT, path)));
    expect(more.map((path) => `${path} has a spec, or is gone, so it leaves spec/support/coveredBy.ts`)).toEqual([]);
  });

  it('has specs named in field terms', () => {
    expect(specs.length).toBeGreaterThan(100);
    expect(specs.flatMap(vagueNames)).toEqual([]);
  });

  it('has specs written in field terms', () => {
    expect(specFiles.flatMap(vagueWords)).toEqual([]);
  });
});

describe('this spec', () => {
  const body = (lines: number): string => '\n'.repeat(lines - 1);

  it('reads all of src', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it.each([
    ["new TapeError('the tape is gone');", 'begins with a small letter'],
    ["new TapeError('Whatever is on it');", 'begins with a word that afterColon does not know'],
    ["new TapeError('The tape is gone.');", 'is one sentence with a full stop'],
    ["new TapeError('The tape is gone. Name another');", 'has sentences, the last of which has no full stop'],
  ])('sees that the text of %s %s', (text, fault) => {
    expect(illFormedErrors(parse('a/x.ts', text))).toEqual([`src/a/x.ts:1 ${fault}`]);
  });

  it.each([
    "new TapeError('The tape is gone');",
    "new TapeError('The tape is gone. Name another.');",
    "new TapeError(path + ' is gone');",
    "new ModelError('no answer');",
  ])('passes over the text of %s', (text) => {
    expect(illFormedErrors(parse('a/x.ts', text))).toEqual([]);
  });

  it('sees the text of a wrong command line that begins with a word of its own', () => {
    const texts = ["'Whatever is given'", "'There is none'", '`--a is wrong`', "'FILE is missing'"];
    const source = parse('cli/x.ts', texts.map((text, at) => `const problem${at} = () => ${text};`).join('\n'));
    expect(illFormedProblems(source)).toEqual(['src/cli/x.ts:1 begins with a word that afterColon does not know']);
  });

  it('sees a long file, and passes over one at the limit', () => {
    const files = [250, 251].map((lines) => parse('a/x.ts', `${'let a;\n'.repeat(lines)}\n\n`));
    expect(files.flatMap(longFiles)).toEqual(['src/a/x.ts has 251 lines']);
  });

  it('sees a folder of too many files, and passes over one at the limit', () => {
    const files = (folder: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ path: `${folder}/${at}.ts` }));
    expect(fullFolders([...files('a', 26), ...files('a/b', 25)])).toEqual(['a has 26 files']);
  });

  it('sees a long function, also one within another', () => {
    const source = parse('a/x.ts', `const f = () => () => {${body(31)}};\nfunction g() {${body(30)}}`);
    expect(longFunctions(source)).toEqual(['src/a/x.ts:1 has 31 lines', 'src/a/x.ts:1 has 31 lines']);
  });

  it('sees a function of four parameters, and not the type of one', () => {
    const source = parse(
      'a/x.ts',
      'type F = (a, b, c, d) => void;\nconst f = (a, b, c, d) => a;\nconst g = (a, b, c) => a;',
    );
    expect(wideFunctions(source)).toEqual(['src/a/x.ts:2 has 4 parameters']);
  });

  it('sees a wide line of a comment, and passes over one at the limit and over long texts', () => {
    const wide = (start: string, width: number) => start.padEnd(width, 'x');
    const source = parse(
      'a/x.ts',
      [
        wide('/** ', 161),
        wide(' * ', 160),
        wide(' * ', 161),
        ' */',
        `${wide("const a = '//", 170)}';`,
        wide('f(); // ', 161),
      ].join('\n'),
    );
    expect(wideComments('src')(source)).toEqual(
      [1, 3, 6].map((line) => `src/a/x.ts:${line} has a comment line of 161 characters`),
    );
  });

  it('sees an object literal that is spread, and passes over other spreads', () => {
    const source = parse('a/x.ts', 'const a = { ...b, ...(c && { d: 1 }) };\nconst e = { ...{ f: 1 } };');
    expect(spreadLiterals(source)).toEqual(['src/a/x.ts:2 spreads an object literal']);
  });

  it('sees a function that is assigned to a property, and passes over variables and fields', () => {
    const lines = [
      'this.a = () => 1;',
      'b[c] = function () {};',
      'd = () => 1;',
      'e.f = d;',
      'class G { h = () => 1 }',
    ];
    const source = parse('a/x.ts', lines.join('\n'));
    expect(assignedFunctions(source)).toEqual(
      [1, 2].map((line) => `src/a/x.ts:${line} assigns a function to a property`),
    );
  });

  it('sees an Observable made by hand away from the edges', () => {
    const text = 'const a$ = new Observable<void>(() => {});\nconst b$ = of(1);';
    const files = ['io/stdio/x.ts', 'streams/operate.ts', 'app/x.ts'].map((path) => parse(path, text));
    expect(files.flatMap(observablesByHand)).toEqual(['src/app/x.ts:1 makes an Observable by hand']);
  });

  it('sees a vague term, also within a name', () => {
    const source = parse('a/x.ts', '// what is told\nconst lastSaid$ = heard;\nconst resaid = newsletter;');
    expect(vagueLines(source)).toEqual([
      'src/a/x.ts:1 writes told; VAGUE in spec/house.spec.ts names better words',
      'src/a/x.ts:2 writes Said; VAGUE in spec/house.spec.ts names better words',
    ]);
  });

  it.each([
    ['an operator', 'export const take = (n) => (source$) => source$;', true],
    ['a function', 'export function take() {}', true],
    ['a command', 'export const take = defineCommand({});', true],
    ['a schema', 'export const Take = z.object({});', false],
    ['a table', 'export const TABLE = { a: 1 };', false],
    ['a type', 'export type Take = () => void;', false],
    ['a function that is not exported', 'const take = () => 1;', false],
  ])('sees that %s without a spec: %s, %j', (_, text, isSeen) => {
    const seen = isSeen ? ['no spec imports src/a/b/take.ts'] : [];
    const importing = (name: string) => [parse('a/topic.spec.ts', `import { x } from '../../src/a/b/${name}';`)];
    expect(withoutSpec([parse('a/b/take.ts', text)], importing('give'))).toEqual(seen);
    expect(withoutSpec([parse('a/b/take.ts', text)], importing('take'))).toEqual([]);
    expect(withoutSpec([parse('tapes/page/browser/take.ts', text), parse('a/index.ts', text)], [])).toEqual([]);
  });

  it('sees a vague name of a spec, also of one with a table', () => {
    const source = parse(
      'a/x.spec.ts',
      "describe('a', () => {\n  it.each([\n    ['said'],\n  ])('tells %s', f);\n  it(`hears`, f);\n  it('emits', () => 'told');\n});",
    );
    expect(vagueNames(source)).toEqual([
      'spec/a/x.spec.ts:4 is named with tells: see VAGUE_NAME',
      'spec/a/x.spec.ts:5 is named with hears: see VAGUE_NAME',
    ]);
  });

  it('sees a vague word of a spec in comments and identifiers, and passes over texts', () => {
    const source = parse(
      'a/x.ts',
      `const a = \`told\n\${said} told\`; // 'hears'\nconst tell = 'news', b = /told/;\nfoo('x', said$);`,
    );
    expect(vagueWords(source)).toEqual([
      'spec/a/x.ts:2 writes said',
      'spec/a/x.ts:3 writes tell',
      'spec/a/x.ts:4 writes said',
    ]);
  });

  it.each(['state.at = 1', 'state.at += 1', 'state.at++', '--state.at'])('sees %s on a constant object', (write) => {
    const source = parse('a/x.ts', `const state = { at: 0 };\n${write};`);
    expect(disguisedVariables(source)).toEqual(['src/a/x.ts:2 writes to the constant state']);
  });

  it.each(['let at = 0; at = 1', 'const list = []; list.length = 0', 'const o = { at: 0 }; o.at == 1'])(
    'passes over %s',
    (text) => {
      expect(disguisedVariables(parse('a/x.ts', text))).toEqual([]);
    },
  );
});
