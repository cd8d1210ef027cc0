/** Recorded decisions of Codex 0.28.0. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of a case file, each as one value. */
export const casesOf = <T>(name: string): T[] =>
  readFileSync(join(__dirname, '..', 'fixtures', 'cases', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
