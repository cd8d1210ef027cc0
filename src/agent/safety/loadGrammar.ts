/** The grammar of bash, from its files. */
import { Language, Parser } from 'web-tree-sitter';

/** Where the grammar is. */
export type GrammarFiles = {
  /** Absolute paths of web-tree-sitter.wasm and tree-sitter-bash.wasm. */
  wasm: { runtime: string; bash: string };
  readFile: (path: string) => Promise<Uint8Array>;
};

/** Resolves with a parser of bash; rejects if a file cannot be read or is none of WebAssembly. */
export const loadGrammar = async ({ wasm, readFile }: GrammarFiles): Promise<Parser> => {
  await Parser.init({ locateFile: () => wasm.runtime, wasmBinary: await readFile(wasm.runtime) });
  const bash = await Language.load(await readFile(wasm.bash));
  return new Parser().setLanguage(bash);
};
