/** `codex-rx import`: makes a tape of a session file of Codex, or of a capture of another recorder. */
import { version } from '../../../package.json';
import { SOURCES } from '../../tapes/import/importSession';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { tapeDeps } from '../tapeDeps';
import { TAPE_FILE } from '../tapeOptions';
import { startImporting } from '../tapes/startImporting';
import { tapeLinesFor } from '../terminal';

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
    ['$0 import capture.ndjson | $0 diagram -', 'a capture of mcpsnoop and the like, drawn'],
  ],
  epilogue: 'Exit codes: 0 done, 2 the file cannot be used. Lines that cannot be used are reported with their number.',
  run: ({ file, from, out }) => {
    const { stdout } = process;
    const remark = remarkAs('import');
    startImporting({ ...tapeDeps('import'), version }, file, { from, out })
      .subscribe({
        next: ({ kind, entries, text }) => {
          if (text !== undefined) stdout.write(`${tapeLinesFor(stdout, text)}\n`);
          remark(`${entries} lines of a ${kind}${out === undefined ? '' : ` are in ${out}`}`);
        },
        error: failAs('import'),
      })
      .add(exitWhenWritten('import'));
  },
});
