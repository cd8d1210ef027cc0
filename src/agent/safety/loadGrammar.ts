/** The grammar of bash, from its files. */
import type { Parser } from 'web-tree-sitter';
import { lazy } from '../../streams/lazy';

/** The package as CommonJS: its other form imports modules of Node when it runs, which code that was compiled before cannot. */
const treeSitter = lazy(() => require('web-tree-sitter') as typeof import('web-tree-sitter'));

/** Where the grammar is. */
export type GrammarFiles = {
  /** Absolute paths of web-tree-sitter.wasm and tree-sitter-bash.wasm. */
  wasm: { runtime: string; bash: string };
  readFile: (path: string) => Promise<Uint8Array>;
};

/** Resolves with a parser of bash; rejects if a file cannot be read or is none of WebAssembly. */
export const loadGrammar = async ({ wasm, readFile }: GrammarFiles): Promise<Parser> => {
  const { Language, Parser } = treeSitter();
  await Parser.init({ locateFile: () => wasm.runtime, wasmBinary: await readFile(wasm.runtime) });
  const bash = await Language.load(await readFile(wasm.bash));
  return new Parser().setLanguage(bash);
};
