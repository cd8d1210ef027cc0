/**
 * The environment of each spec file: that of Node, in which a worker compiles a module once. Jest gives each spec file modules of its own, and
 * compiles each of them anew by `vm.compileFunction`, whose result the V8 of Node 20 does not cache; that took half the time of an operator's
 * spec (Node 26 takes as long either way). A script of the same text and name comes from V8's cache, with the functions that were compiled
 * since. Modules run as before, once per spec file.
 * Source: jest-runtime 30.5, `ModuleExecutor.compile`.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** As `vm.compileFunction`, except for `import()`, which Jest refuses anyway. */
const compileOnce = (
  code: string,
  parameters: readonly string[] = [],
  { filename, parsingContext }: vm.CompileFunctionOptions = {},
) => {
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
  return parsingContext === undefined ? script.runInThisContext() : script.runInContext(parsingContext);
};

vm.compileFunction = compileOnce;

export default TestEnvironment;
