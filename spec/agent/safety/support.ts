/** What the specs of this room share: the real grammar, and the recorded decisions of Codex 0.28.0. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { map, type Observable } from 'rxjs';
import type { BashDeps } from '../../../src/agent/safety/bashParser';
import { readTrust } from '../../../src/agent/safety/readTrust';
import { silentLog } from '../../../src/protocol/log';

export const bashDeps: BashDeps = {
  wasm: {
    runtime: require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
    bash: require.resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
  },
  readFile: (path) => readFile(path),
  log: silentLog,
};

/** Whether a command is trusted, without what it runs. */
export const trustOf =
  (deps: Parameters<typeof readTrust>[0]) =>
  (argv: readonly string[]): Observable<boolean> =>
    readTrust(deps)(argv).pipe(map(({ trusted }) => trusted));

/** The lines of a case file, each as one value. */
export const casesOf = <T>(name: string): T[] =>
  readFileSync(join(__dirname, 'cases', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
