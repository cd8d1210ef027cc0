/**
 * The environment of each spec file: that of Node, in which a worker compiles a module once, and after which no promise costs more.
 *
 * Jest gives each spec file modules of its own, and compiles each of them anew by `vm.compileFunction`, whose result V8 does not keep; that took
 * half the time of an operator's spec. One script per file and worker is compiled, with the functions that were compiled since. Modules run as
 * before, once per spec file. Source: jest-runtime 30.5, `ModuleExecutor.compile`.
 *
 * Jest runs each test in an `AsyncLocalStorage`, one per spec file, and disables none. Before Node 24 each promise and each timer of a later file
 * carries the stores of all files before it, so that the hundredth file of a worker took longer than the first. Source: jest-circus 30.5,
 * `runInTestExecutionContext`; `storageList` in `lib/async_hooks.js` of Node 20.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** What a worker compiled, by path, until the text is another. Changed in place. */
const compiled = new Map<string, { source: string; script: vm.Script }>();

const scriptOf = (code: string, parameters: readonly string[], filename = ''): vm.Script => {
  const known = compiled.get(filename);
  if (known?.source === code) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
  compiled.set(filename, { source: code, script });
  return script;
};

/** As `vm.compileFunction`, except for `import()`, which Jest refuses anyway. Jest gives all modules the same parameters. */
const compileOnce = (
  code: string,
  parameters: readonly string[] = [],
  { filename, parsingContext }: vm.CompileFunctionOptions = {},
) => {
  const script = scriptOf(code, parameters, filename);
  return parsingContext === undefined ? script.runInThisContext() : script.runInContext(parsingContext);
};

vm.compileFunction = compileOnce;

/** The storages that something ran in since the begin of the spec file. Changed in place. */
const entered = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: Parameters<typeof run>) {
  entered.add(this);
  return run.apply(this, args);
} as typeof run;

/** @see file */
export default class extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    for (const storage of entered) storage.disable();
    entered.clear();
  }
}
