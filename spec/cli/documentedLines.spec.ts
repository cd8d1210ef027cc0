/** What README and docs name exists: commands and options, by the program's own tables, and files of the checkout. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { READING_PROGRAMS } from '../../src/agent/safety/readTrust';
import { COMMANDS } from '../../src/cli/commands';
import { findCommand } from '../../src/cli/main';
import { readArguments } from '../../src/cli/readArguments';
import { CODEX_METHODS } from '../../src/protocol/codex/methodNames';
import { splitWords } from '../../src/streams/text/words';
import { RULES } from '../../src/tapes/check/finding';

const ROOT = join(__dirname, '../..');

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));

const manual = [join(ROOT, 'README.md'), ...filesIn(join(ROOT, 'docs'), /\.md$/)];
const others = ['CONTRIBUTING.md', 'AGENTS.md', 'packaging/README.md', '.github/SECURITY.md'].map((name) =>
  join(ROOT, name),
);
const pages = [...manual, ...others];
const projects = [
  ...filesIn(join(ROOT, 'docs'), /package\.json$/),
  ...filesIn(join(ROOT, 'packaging'), /\.(?:json|mjs|md)$|Dockerfile$/),
];
const sources = [...filesIn(join(ROOT, 'src'), /\.(?:ts|mjs|js)$/), ...filesIn(join(ROOT, 'bin'), /\.js$/)];

type Line = { place: string; text: string };

/** Lines in blocks of shell, those that end in a backslash joined with the next. */
const shellLines = (path: string): Line[] => {
  const blocks = readFileSync(path, 'utf8').matchAll(/^ *```(?:sh|bash|console)\n([\s\S]*?)^ *```/gm);
  const place = relative(ROOT, path);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((text) => ({ place, text: text.trim() })),
  );
};

/** What the shell passes to the program: without a comment, a prompt, a pipe, a redirection, and what follows. */
const argvOf = (text: string): string[] => {
  const [, words = ''] = /^(?:\$ )?(?:[A-Z_]+=\S+ )*codex-rx(.*)$/.exec(text) ?? [];
  const argv = splitWords(words.replace(/\s#.*$/, '')) ?? [];
  const end = argv.findIndex((word) => /^(?:\||>>?|2>.*|<|&|&&|;)$/.test(word));
  return end < 0 ? argv : argv.slice(0, end);
};

const isOurs = ({ text }: Line): boolean => /^(?:\$ )?(?:[A-Z_]+=\S+ )*codex-rx(?:\s|$)/.test(text);

/** What is wrong with a line, if something is. */
const problemOf = (argv: readonly string[]): string | undefined => {
  const found = findCommand(argv);
  if (typeof found === 'string') return found;
  const line = readArguments(COMMANDS[found.name]?.load().options ?? {}, found.rest);
  return typeof line === 'string' ? line : undefined;
};

describe('the pages for people', () => {
  const lines = pages.flatMap(shellLines).filter(isOurs);

  it('have command lines of this program', () => {
    expect(lines.length).toBeGreaterThan(50);
  });

  it('name commands and options that exist', () => {
    const faults = lines.flatMap(({ place, text }) => {
      const problem = problemOf(argvOf(text));
      return problem === undefined ? [] : [`${place}: ${text}: ${problem}`];
    });
    expect(faults).toEqual([]);
  });

  it('would be caught with an option or a command that does not exist', () => {
    expect([problemOf(argvOf('codex-rx doctor --jsno # x')), problemOf(argvOf('codex-rx docter | cat'))]).toEqual([
      expect.stringContaining('--jsno is not an option'),
      expect.stringContaining('docter is not a command'),
    ]);
  });
});

/** Paths of the checkout in a text: `src/…`, `spec/…` and `build/…`, and files of `src` that are named from their wing on. */
const WINGS = readdirSync(join(ROOT, 'src')).join('|');
const PATHS = new RegExp(
  `(?<![\\w./@-])(?:src|spec|build)/[\\w./*-]*\\w|(?<=\`)(?:${WINGS})/[\\w./-]+\\.ts(?=\`)`,
  'g',
);

/** A name in a recipe that its reader replaces, such as `yourTool.ts`. */
const PLACEHOLDER = /\/yours?(?![a-z])/;

/** A spec may be named without its ending, as jest takes it. */
const isThere = (path: string): boolean =>
  ['', 'src/'].some((folder) => ['', '.ts', '.spec.ts'].some((end) => existsSync(join(ROOT, folder + path + end))));

const missingPaths = (text: string): string[] =>
  (text.match(PATHS) ?? []).filter((path) => !PLACEHOLDER.test(path) && !isThere(path));

describe('the pages about the code', () => {
  it('name files and folders that exist', () => {
    const missing = [...pages, join(ROOT, 'CHANGELOG.md')].flatMap((page) =>
      missingPaths(readFileSync(page, 'utf8')).map(
        (path) => `${relative(ROOT, page)} names ${path}, which does not exist`,
      ),
    );
    expect(missing).toEqual([]);
  });

  it('would be caught with one that does not exist', () => {
    const text =
      '`src/cli/gone.ts`, spec/cli/gone, `build/*.gone.mjs`, `cli/gone.ts`; `src/cli/main.ts`, `cli/main.ts`';
    expect(missingPaths(`${text}, spec/cli/main, src/cli, src/cli/yourFile.ts`)).toEqual([
      'src/cli/gone.ts',
      'spec/cli/gone',
      'build/*.gone.mjs',
      'cli/gone.ts',
    ]);
  });
});

/** Files of a paragraph that are named without their folder, and are in no folder that the paragraph has named. */
const lostNames = (paragraph: string): string[] => {
  const named = (paragraph.match(PATHS) ?? []).map((path) =>
    join(ROOT, /^(?:src|spec|build)\//.test(path) ? '' : 'src', path),
  );
  const folders = named.map((path) => (/\.\w+$/.test(path) ? dirname(path) : path));
  const names = [...paragraph.matchAll(/(?<=`)(?!src\/|spec\/)[\w/]+\.ts(?=`)/g)].map(([name]) => name);
  return names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
};

describe('a recipe', () => {
  const recipes = readFileSync(join(ROOT, 'docs/how-to-add.md'), 'utf8').split('\n\n');

  it('names files by their folder, or next to a file or in a folder that it names too', () => {
    expect(recipes.flatMap(lostNames).map((name) => `docs/how-to-add.md: in which folder is ${name}?`)).toEqual([]);
  });

  it('would be caught if it did not', () => {
    expect(lostNames('`src/cli/main.ts`, `commands.ts`, `gone.ts`; `spec/cli`, `reading.ts`')).toEqual(['gone.ts']);
  });
});

/** The name that a link gives to a heading, as the host makes it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const anchorsIn = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading));

/** Links of a page that lead to no file of the checkout, or to no heading of a page. */
const brokenLinks = (page: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(([link, path = '', anchor]) => {
    const file = path === '' ? page : join(dirname(page), path);
    const leads = existsSync(file) && (anchor === undefined || anchorsIn(file).includes(anchor));
    return leads ? [] : [`${relative(ROOT, page)}: ${link}`];
  });

describe('the links of the pages', () => {
  it('lead to files and headings', () => {
    expect(pages.flatMap((page) => brokenLinks(page, readFileSync(page, 'utf8')))).toEqual([]);
  });

  it('lead from the index to each page', () => {
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    const names = manual.map((page) => relative(join(ROOT, 'docs'), page)).filter((name) => !/README/.test(name));
    expect(names.filter((name) => !index.includes(`(${name}`))).toEqual([]);
  });

  it('would be caught if they led nowhere', () => {
    const text = '[a](gone.md) [b](README.md#gone) [c](#gone) [d](README.md#install) [e](https://x.test/gone)';
    expect(brokenLinks(join(ROOT, 'README.md'), text)).toEqual([
      'README.md: ](gone.md)',
      'README.md: ](README.md#gone)',
      'README.md: ](#gone)',
    ]);
  });
});

const MAX_WORDS = { page: 1_200, manual: 35_000 };

const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** A text without its tables and blocks of code, which are looked up and not read. */
const proseOf = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/^\|.*$/gm, '');

describe('the manual', () => {
  const texts = manual.map((page): [string, string] => [relative(ROOT, page), readFileSync(page, 'utf8')]);

  it('has each command, each Codex method, each rule of check, and each program that runs without asking', () => {
    const text = texts.map(([, one]) => one).join('\n');
    const commands = Object.keys(COMMANDS).filter((name) => !new RegExp(`codex-rx(?:\\.js)? ${name}\\b`).test(text));
    const methods = [...CODEX_METHODS].filter((name) => !text.includes(`\`${name}\``));
    const rules = RULES.filter((name) => !text.includes(`\n| \`${name}\` |`));
    const { 'docs/approvals.md': approvals = '' } = Object.fromEntries(texts);
    const programs = [...READING_PROGRAMS].filter((name) => !new RegExp(`\`${name}[\` ]`).test(approvals));
    expect(programs.map((name) => `docs/approvals.md does not name ${name}, which runs without asking`)).toEqual([]);
    expect(commands.map((name) => `no page shows codex-rx ${name}`)).toEqual([]);
    expect(methods.map((name) => `docs/codex-methods.md does not name ${name}`)).toEqual([]);
    expect(rules.map((name) => `docs/check.md has no row for ${name}`)).toEqual([]);
  });

  it('has a list of changes that is read in a minute', () => {
    expect(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(80);
  });

  it('has pages that are read in minutes', () => {
    const all = texts.reduce((sum, [, text]) => sum + wordsOf(text), 0);
    const long = texts.map(([name, text]) => ({ name, excess: wordsOf(proseOf(text)) - MAX_WORDS.page }));
    const faults = [...long, { name: 'README.md with docs', excess: all - MAX_WORDS.manual }];
    expect(
      faults
        .filter(({ excess }) => excess > 0)
        .map(({ name, excess }) => `${name}: cut ${excess} words, of any sentence`),
    ).toEqual([]);
  });

  it('shows its pictures in light and in dark', () => {
    const pictures = filesIn(join(ROOT, 'docs'), /\.svg$/);
    expect(pictures.length).toBeGreaterThan(1);
    expect(pictures.filter((path) => !readFileSync(path, 'utf8').includes('prefers-color-scheme:dark'))).toEqual([]);
  });
});

const SECURITY = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

/** The specs that a promise names; a name without a folder is in that of the spec before it. */
const specsOf = (promise: string): string[] => {
  const { specs } = [...promise.matchAll(/`([\w./]+)`/g)].reduce(
    ({ folder, specs }, [, name = '']) => {
      if (name.startsWith('spec/')) return { folder: dirname(name), specs: [...specs, name] };
      return folder === '' ? { folder, specs } : { folder, specs: [...specs, `${folder}/${name}`] };
    },
    { folder: '', specs: [] as string[] },
  );
  return specs;
};

/** Rows of the tables whose last column is `tested by`, and paragraphs and items that begin with a bold name by what tests them. */
const promisesIn = (page: string): { name: string; specs: string[] }[] => {
  const tables = page.split('\n\n').filter((text) => /^\|.*\| tested by \|\n/.test(text));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(2));
  const paragraphs = page.replaceAll(':\n\n', ':\n').split(/\n\n|\n(?=- \*\*)/);
  return [
    ...rows.map((row) => ({ name: row.split(' | ', 1)[0] ?? '', specs: specsOf(row.split(' | ').at(-1) ?? '') })),
    ...paragraphs
      .filter((text) => /^(?:- )?\*\*/.test(text))
      .map((text) => ({ name: text.slice(0, 30), specs: specsOf(text.split('Tested by ')[1] ?? '') })),
  ];
};

const unattacked = (page: string): string[] =>
  promisesIn(page).flatMap(({ name, specs }) =>
    specs.length > 0 && specs.every(isThere) ? [] : [`${name}: ${specs.filter((spec) => !isThere(spec)).join()}`],
  );

describe('the page on security', () => {
  it('names for each promise specs that attack it', () => {
    expect(promisesIn(SECURITY).length).toBeGreaterThan(30);
    expect(unattacked(SECURITY)).toEqual([]);
  });

  it('names each spec that attacks a promise', () => {
    const named = [...SECURITY.matchAll(/Tested by .*|\|[^|]*\|$/gm)].flatMap(([text]) => specsOf(text));
    const attacks = readdirSync(join(ROOT, 'spec/attack')).map(
      (name) => `spec/attack/${name.replace(/\.spec\.ts$/, '')}`,
    );
    expect(attacks.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('would be caught with a promise that nothing tests', () => {
    const page =
      '| who | x | tested by |\n|--|\n| a | b | `spec/cli/main`, `gone` |\n\n**B.** Tested by `spec/cli/main`.\n- **C.** No.';
    expect(unattacked(page)).toEqual(['| a: spec/cli/gone', '- **C.** No.: ']);
  });
});

/** No registry has a package of this name, so whoever takes it would run on the machine of everybody who follows such a line. */
const FROM_REGISTRY = [
  /\bnpx (?:-\S+ )*codex-rx\b/,
  /\bnpm (?:exec|x) (?:-\S+ )*codex-rx\b/,
  /\bnpm (?:i|install|add) (?:[\w@-][\w@./-]* )*codex-rx(?:@\S+)?(?![\w./-])/,
  /\b(?:yarn|pnpm|bun)x? (?:add |dlx |global add )?(?:-\S+ )*codex-rx\b/,
  /'npx'.*'codex-rx'/,
  /"codex-rx": "(?!file:)/,
];

const fromRegistry = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text, at) =>
      FROM_REGISTRY.some((line) => line.test(text)) ? [`${relative(ROOT, path)}:${at + 1}: ${text}`] : [],
    );

describe('pages and texts', () => {
  it('name no line that fetches a package codex-rx from a registry', () => {
    expect([...pages, ...projects, ...sources].flatMap(fromRegistry)).toEqual([]);
  });

  it.each([
    'npx -y codex-rx',
    'npm i -g codex-rx',
    'npm install -g codex-rx node-pty',
    'npm install --save-dev codex-rx',
    'pnpm dlx codex-rx',
  ])('would be caught with %s', (text) => {
    expect(FROM_REGISTRY.some((line) => line.test(text))).toBe(true);
  });
});
