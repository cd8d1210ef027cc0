/** `codex-rx import`: makes a tape of a session file or of the output of Codex, or of a capture, a log or a cassette of another program. */

import { map, type Observable } from 'rxjs';
import { version } from '../../../package.json';
import { type LoadDeps, loadLines, remarkProblems } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeFiles';
import { TapeError } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { importSession, SOURCES, type SourceName } from '../../tapes/import/importSession';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { TAPE_FILE, tapeDeps } from '../tapeCommand';
import { print } from '../terminal';

export const importTape = defineCommand({
  usage: '$0 import FILE [--out TAPE]',
  positionals: { file: { ...TAPE_FILE, describe: 'The file; - for stdin' } },
  options: {
    from: {
      type: 'string',
      choices: SOURCES,
      default: 'auto',
      describe: 'Format of the file; auto reads it from the first lines',
    },
    out: { alias: 'o', type: 'string', describe: 'A new file for the tape. Default: stdout' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 import ~/.codex/sessions/2026/11/20/rollout-….jsonl -o tape.jsonl', 'a thread of Codex as calls of its tool'],
    ['codex exec --json PROMPT | $0 import - -o tape.jsonl', 'a run of Codex'],
    ['$0 import capture.ndjson | $0 diagram -', 'a capture of mcpsnoop and the like, drawn'],
    ['$0 import mcp-server-files.log', 'a log of Claude Desktop; also of VS Code and LSP, HAR files and cassettes'],
  ],
  epilogue: 'Exit codes: 0 done, 2 the file cannot be used. Lines that cannot be used are reported with their number.',
  run: ({ file, from, out }) => {
    const remark = remarkAs('import');
    startImporting({ ...tapeDeps('import'), version }, file, { from, out })
      .subscribe({
        next: ({ kind, entries, text }) => {
          if (text !== undefined) print(`${text}\n`);
          remark(`${entries} lines of a ${kind}${out === undefined ? '' : ` are in ${out}`}`);
        },
        error: failAs('import'),
      })
      .add(exitWhenWritten('import'));
  },
});

type Imported = {
  kind: string;
  /** How many lines the tape got. */
  entries: number;
  /** The tape, if no file was named; fit for a terminal, with the same values. */
  text?: string;
};

/** @param out the file for the tape, which must not be there yet; undefined for none */
const startImporting = (
  deps: LoadDeps & { version: string },
  path: string,
  { from, out }: { from: SourceName; out?: string },
): Observable<Imported> =>
  loadLines(deps, path).pipe(
    map((lines) => {
      const result = importSession(lines, from, `codex-rx ${deps.version} import`);
      if (result === undefined)
        throw new TapeError(
          `${path} is no file that is known, or nothing in it is a message; codex-rx import --help names what can be imported`,
        );
      remarkProblems(deps, path, result.problems);
      const text = result.items.map(toTapeLine).join('\n');
      if (out !== undefined) writeNew(out, `${text}\n`);
      return {
        kind: result.kind,
        entries: result.items.length - 1,
        ...(out === undefined && { text }),
      };
    }),
  );
