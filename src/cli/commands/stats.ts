/** `codex-rx stats`: counts what a tape holds. */
import { foldLast } from '../../app/tapes/foldTape';
import { toStatsJson, toStatsTable } from '../../tapes/stats/statsTable';
import { tally } from '../../tapes/stats/toStats';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { print } from '../terminal';

export const stats = defineCommand({
  usage: '$0 stats FILE',
  positionals: { file: TAPE_FILE },
  options: {
    session: sessionOf('the file'),
    json: { type: 'boolean', describe: 'Print JSON instead of a table' },
    width: {
      alias: 'w',
      type: 'number',
      from: 30,
      describe: 'Characters per line. Default: the terminal, or as many as it takes',
    },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 stats tape.jsonl', 'a table'],
    ['$0 stats tape.jsonl --json', 'for a program'],
  ],
  epilogue: 'Exit codes: 0 counted, 2 the tape cannot be used. See docs/tapes.md.',
  run: ({ file, session, json, width }) => {
    const { stdout } = process;
    foldLast(tapeDeps('stats'), { path: file, number: session }, tally)
      .subscribe({
        next: (counted) => {
          print(`${json ? toStatsJson(counted) : toStatsTable(counted, width ?? stdout.columns).join('\n')}\n`);
        },
        error: failAs('stats'),
      })
      .add(exitWhenWritten('stats'));
  },
});
