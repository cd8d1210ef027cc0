/** Summarizes a command for a person, when it begins. It decides nothing. */
import { map, type Observable, of } from 'rxjs';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { type ReadScript, scriptOf } from './script';
import { summarizeArgv } from './summarizeArgv';
import { summarizeScript } from './summarizeScript';

const isSame = (one: ParsedCommand, other: ParsedCommand | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const dropRepeats = (all: readonly ParsedCommand[]): ParsedCommand[] =>
  all.filter((one, at) => !isSame(one, all[at - 1]));

/**
 * Summarizes what a command reads, lists or searches for, one entry per command in it.
 * @param deps.read the grammar; used for `bash -lc SCRIPT` only
 * Emits once and completes: at once for every other argv.
 *   bash -lc 'cat src/main.ts | wc -l'  (r|)  r: read, cmd `cat src/main.ts`, name main.ts
 * Source: Codex 0.28.0 `parsed_cmd`, 599 recorded cases.
 */
export const parseCommand =
  ({ read }: { read: ReadScript }) =>
  (argv: readonly string[]): Observable<ParsedCommand[]> => {
    const script = scriptOf(argv);
    if (script === undefined) return of(dropRepeats(summarizeArgv(argv)));
    return read(script).pipe(
      map((commands): ParsedCommand[] =>
        commands ? dropRepeats(summarizeScript(script, commands)) : [{ type: 'unknown', cmd: script }],
      ),
    );
  };
