/** The bash grammar: when it is loaded, and which scripts it parses. What a tree means is decided elsewhere. */
import { catchError, defer, from, map, type Observable, of, shareReplay } from 'rxjs';
import type { Parser } from 'web-tree-sitter';
import type { Log } from '../../protocol/log';
import { lazy } from '../../streams/lazy/lazy';
import type { ReadScript, Sequence } from './script';
import { toSequence } from './toSequence';

const treeSitter = lazy(() => require('web-tree-sitter') as typeof import('web-tree-sitter'));

/** `wasm`: absolute paths of web-tree-sitter.wasm and tree-sitter-bash.wasm. `compiling` runs what compiles them. */
export type BashDeps = {
  wasm: { runtime: string; bash: string };
  readFile: (path: string) => Promise<Uint8Array>;
  log: Log;
  compiling?: <T>(load: () => Promise<T>) => Promise<T>;
};

/** Longer scripts are not parsed: time in the parser grows with the square of a broken script (16 KB took 7 s, 4 KB 0.3 s). */
const MAX_LENGTH = 4096;

/** False where a tree cannot be word-only: redirections, expansions, subshells, background commands, open quotes. */
const MAY_BE_WORDS = /^(?:[^\\'"$`()<>&]|&&|\\.|'[^']*'|"(?:[^"\\$`]|\\.)*")*$/s;

const load = async ({ wasm, readFile }: BashDeps): Promise<Parser> => {
  const { Language, Parser } = treeSitter();
  await Parser.init({ locateFile: () => wasm.runtime, wasmBinary: await readFile(wasm.runtime) });
  const bash = await Language.load(await readFile(wasm.bash));
  return new Parser().setLanguage(bash);
};

const parseWith = (parser: Parser, script: string): Sequence | undefined => {
  const tree = parser.parse(script);
  const sequence = tree ? toSequence(tree.rootNode) : undefined;
  tree?.delete(); // trees live outside the garbage-collected heap
  return sequence;
};

/**
 * Parses scripts with the real grammar. Make one per process: web-tree-sitter holds one runtime for all.
 * @param deps.wasm read once, on the first script that may be word-only; a failed load is logged and tried again
 * Emits once per script and completes; undefined (so a person is asked) when the grammar is missing. Never errors.
 *   read('ls')       ---(a|)  the first time; (a|) after that
 *   read('ls > out') (u|)     without loading anything
 * Source: Codex 0.28.0 uses tree-sitter-bash 0.25.0; web-tree-sitter 0.27.1 with tree-sitter-bash 0.25.1 decides in the same way.
 */
export const bashParser = (deps: BashDeps): ReadScript => {
  const { compiling = (run) => run() } = deps;
  const parser$: Observable<Parser> = defer(() => from(compiling(() => load(deps)))).pipe(shareReplay(1));
  return (script) =>
    script.length > MAX_LENGTH || !MAY_BE_WORDS.test(script)
      ? of(undefined)
      : parser$.pipe(
          map((parser) => parseWith(parser, script)),
          catchError((error) => {
            deps.log('error', 'the bash grammar cannot be used, so scripts are not trusted', { error: String(error) });
            return of(undefined);
          }),
        );
};
