/** Owns running written specs in specs: their text is compiled, their `test` is called, their server may be another. */
import ts from '@typescript/typescript6';
import * as testing from '../../src/testing';

/**
 * Runs the tests of a module's text. @param server in place of the one that the text names
 * Resolves when they pass; rejects as the first that fails.
 */
export const runSpec = async (text: string, server?: testing.Server): Promise<void> => {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const bodies: (() => Promise<void>)[] = [];
  const test = (_name: string, body: () => Promise<void>) => bodies.push(body);
  const other = server && { tape: () => server, stdio: () => server };
  const modules: Record<string, unknown> = { 'node:test': { test }, 'codex-rx/testing': { ...testing, ...other } };
  new Function('require', 'exports', outputText)((name: string) => modules[name], {});
  expect(bodies).not.toHaveLength(0);
  for (const body of bodies) await body();
};
