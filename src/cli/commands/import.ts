/** `codex-rx import`: makes a tape of a session file or of the output of Codex, or of a capture, a log or a cassette of another program. */
import {
  concatMap,
  defer,
  endWith,
  finalize,
  ignoreElements,
  map,
  type Observable,
  scan,
  take,
  takeWhile,
  tap,
  toArray,
} from 'rxjs';
import { version } from '../../../package.json';
import { type LoadDeps, loadLines, problemRemarks, remarkProblems, textLines } from '../../app/tapes/loadTape';
import { newTape, writeNew } from '../../app/tapes/writeFiles';
import { removeNamed } from '../../io/disk/namedHere';
import { isFile } from '../../io/paths/look';
import { TapeError } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import {
  type Format,
  formatOf,
  importSession,
  isTape,
  SOURCES,
  type SourceName,
  sessionImporter,
} from '../../tapes/import/importSession';
import { importTwice } from '../../tapes/import/importTwice';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { TAPE_FILE, tapeDeps } from '../tapeCommand';
import { print } from '../terminal';

export const importTape = defineCommand({
  usage: '$0 import FILE [--out FILE]',
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
        next: ({ kind, entries, sessions, text }) => {
          if (text !== undefined) print(`${text}\n`);
          const parts = sessions > 1 ? ` in ${sessions} sessions` : '';
          remark(`${entries} lines of a ${kind}${parts}${out === undefined ? '' : ` are in ${out}`}`);
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
  sessions: number;
  /** The tape, if no file was named; fit for a terminal, with the same values. */
  text?: string;
};

type Deps = LoadDeps & { version: string };
type Choice = { from: SourceName; out?: string };

/** By the first lines of a file its format is recognised. */
const HEAD = { lines: 10_000, chars: 8_388_608 };

/** Makes the tape. Errors with TapeError if the file cannot be used. @param out a new file for the tape; undefined for none */
export const startImporting = (deps: Deps, path: string, { from, out }: Choice): Observable<Imported> =>
  out === undefined || !isFile(path)
    ? importWhole(deps, path, { from, out })
    : headOf(deps, path).pipe(
        concatMap((lines) => {
          const format = formatOf(lines, from);
          if (format === undefined) throw unusable(path, lines);
          return format.kind === 'document'
            ? importWhole(deps, path, { from, out })
            : importLines(deps, path, { format, out });
        }),
      );

const headOf = (deps: Deps, path: string): Observable<string[]> =>
  textLines(deps, path).pipe(
    scan(({ chars }, line) => ({ chars: chars + line.length, line }), { chars: 0, line: '' }),
    takeWhile(({ chars }) => chars < HEAD.chars, true),
    take(HEAD.lines),
    map(({ line }) => line),
    toArray(),
  );

const unusable = (path: string, lines: readonly string[]): TapeError =>
  new TapeError(
    isTape(lines)
      ? `${path} is a tape already; the commands for tapes take it as it is`
      : `${path} has no known format, or holds no message; codex-rx import --help names the formats`,
  );

const importWhole = (deps: Deps, path: string, { from, out }: Choice): Observable<Imported> =>
  loadLines(deps, path).pipe(
    map((lines) => {
      const result = importSession(lines, from, recorderOf(deps));
      if (result === undefined) throw unusable(path, lines);
      remarkProblems(deps, path, result.problems);
      const text = result.items.map(toTapeLine).join('\n');
      if (out !== undefined) writeNew(out, `${text}\n`);
      const { kind, sessions } = result;
      return { kind, sessions, entries: result.items.length - sessions, ...(out === undefined && { text }) };
    }),
  );

const recorderOf = ({ version }: Deps): string => `codex-rx ${version} import`;

type Lines = { format: Format; out: string };

/** Reads the file twice, and has no more of it in memory than a line. */
const importLines = (deps: Deps, path: string, { format, out }: Lines): Observable<Imported> =>
  defer(() => {
    const remarks = problemRemarks(deps, path);
    const importer = sessionImporter(format, recorderOf(deps), remarks.report);
    const { write, written, sync, close } = newTape(out);
    const last = (): Imported => {
      const sessions = importer.sessions();
      if (sessions === 0) {
        removeNamed(out);
        throw unusable(path, []);
      }
      sync();
      remarks.end();
      return { kind: format.kind, sessions, entries: written() - sessions };
    };
    return importTwice(textLines(deps, path), importer).pipe(
      tap(write),
      ignoreElements(),
      endWith(undefined),
      map(last),
      finalize(close),
    );
  });
