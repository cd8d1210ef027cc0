/** The types of `codex-rx/testing` in a project of somebody else, which has the packed package and compiles with each way to find modules. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';

const ROOT = join(__dirname, '../..');
const project = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-types-')));
const modules = join(project, 'node_modules');

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};

const SPEC = `
import { answer, assertMarbles, marbleMatchers, marbles, request, session, stdio, tape, type Phase, type Server } from 'codex-rx/testing';
const server: Server = stdio(['node', 'server.js'], { cwd: '.', log: (line) => line.trim() });
const phase: Phase = { client: 'i', server: '-I|', values: { i: request('initialize'), I: answer('i', {}) } };
expect.extend(marbleMatchers);
export const ran: Promise<void> = expect(server).toPlay(phase, phase);
expect(server).not.toPlayInTime(phase);
expect([]).toMatchMarbles([]);
export const played: Promise<unknown> = session(server).plays(phase);
export const known = [assertMarbles, marbles, tape];
// @ts-expect-error a phase has marbles
expect(server).toPlay({ client: 7 });
`;

/** Runners that need not be installed here: what of their types the entries extend. */
const RUNNER_SPEC = (entry: string, runner: string) => `
import { marbleMatchers, stdio } from 'codex-rx/testing/${entry}';
import { expect } from '${runner}';
expect.extend(marbleMatchers);
export const ran: Promise<void> = expect(stdio(['x'])).toPlay({ client: 'i', server: '' });
`;

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  for (const { path } of files.filter(({ path }) => /^(package\.json|dist\/(types\/|testing))/.test(path)))
    cpSync(join(ROOT, path), join(modules, 'codex-rx', path));
  for (const name of ['rxjs', 'expect', '@types/jest', 'tslib']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  put('node_modules/vitest/package.json', '{"name":"vitest","types":"index.d.ts"}');
  put(
    'node_modules/vitest/index.d.ts',
    'export interface Assertion<T = any> { toBe(value: T): void }\nexport declare const expect: { <T>(value: T): Assertion<T>; extend(matchers: object): void };\n',
  );
  put('package.json', '{"type":"module"}');
  put('global.spec.ts', SPEC);
  put('vitest.spec.ts', RUNNER_SPEC('vitest', 'vitest'));
  put('jestGlobals.spec.ts', RUNNER_SPEC('jest-globals', 'expect'));
  put('common.spec.cts', SPEC);
});
afterAll(() => rmSync(project, { recursive: true }));

const { CommonJS, ESNext, Node16 } = ts.ModuleKind;
const WAYS: [string, ts.CompilerOptions, string[]][] = [
  ['node10', { module: CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10, ignoreDeprecations: '6.0' }, []],
  ['node16', { module: Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }, ['common.spec.cts']],
  ['bundler', { module: ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }, []],
];

describe.each(WAYS)('moduleResolution %s', (_, options, more) => {
  it('finds all types of the entries, which are right without skipLibCheck', () => {
    const files = ['global.spec.ts', 'vitest.spec.ts', 'jestGlobals.spec.ts', ...more].map((name) =>
      join(project, name),
    );
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      types: ['jest'],
      typeRoots: [join(modules, '@types')],
      esModuleInterop: true,
      ...options,
    });
    const isOurs = ({ fileName }: ts.SourceFile) =>
      !/node_modules\/(?!codex-rx)/.test(fileName.replace(ROOT, 'node_modules/x'));
    const checked = program.getSourceFiles().filter(isOurs);
    expect(checked.length).toBeGreaterThan(files.length + 10);
    const faults = [
      ...program.getOptionsDiagnostics(),
      ...checked.flatMap((file) => program.getSemanticDiagnostics(file)),
    ].map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    expect(faults).toEqual([]);
  });
});

describe('the entries', () => {
  it.each(['testing', 'testing/vitest', 'testing/jest-globals'])('load as codex-rx/%s', (entry) => {
    const code = `import { session, marbleMatchers } from 'codex-rx/${entry}'; console.log(typeof session, Object.keys(marbleMatchers).length)`;
    const args = ['--input-type=module', '-e', code];
    expect(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })).toBe('function 3\n');
  });
});
