/** `codex-rx diagram`: draws a tape in marbles. */
import { join } from 'node:path';
import { EMPTY, from, map, mergeMap, type Observable, takeUntil } from 'rxjs';
import { writeLines } from '../../io/stdio/writeLines';
import { colours, noColours, toTerminalLine } from '../../io/terminal/paint';
import { AXES } from '../../tapes/drawing/layout';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { stopSignal } from '../stopSignal';
import { tapeDeps } from '../tapeDeps';
import { sessionOf, TAPE_FILE } from '../tapeOptions';
import { type Drawn, startDrawing } from '../tapes/startDrawing';
import { startFollowing } from '../tapes/startFollowing';
import { columnsOf, hasColours } from '../terminal';

export const diagram = defineCommand({
  usage: '$0 diagram FILE [-o FILE.html|FILE.svg]',
  positionals: { file: TAPE_FILE },
  options: {
    session: sessionOf('the file'),
    out: { alias: 'o', type: 'string', describe: 'Write to this file: .html for a page, .svg for a picture' },
    axis: {
      type: 'string',
      choices: AXES,
      default: AXES[0],
      describe: 'What the horizontal axis counts: messages, or time',
    },
    follow: {
      type: 'boolean',
      describe: 'Show a tape as it is recorded, a line for each message, until a signal or the end of stdin',
    },
    width: { alias: 'w', type: 'number', from: 30, describe: 'Characters per line. Default: the terminal, or 80' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 diagram tape.jsonl', 'a lane per party, a column per message, and a legend'],
    ['$0 diagram tape.jsonl -o tape.html', 'a page to zoom, filter and search in; needs no network'],
    ['$0 diagram tape.jsonl -o tape.svg', 'a picture for a document'],
    ['$0 diagram --follow tape.jsonl', 'a tape while it is recorded; nats://HOST/NAME too'],
  ],
  // The name also keeps a tape from being overwritten.
  problem: ({ out, follow }) => {
    if (follow && out !== undefined) return '--follow shows a tape in the terminal, without --out';
    return out === undefined || /.\.(svg|html)$/.test(out)
      ? undefined
      : '--out must be a file that ends with .svg or .html';
  },
  run: ({ file, session, out, axis, width, follow }) => {
    const { stdout } = process;
    const drawing = {
      session,
      out,
      axis,
      paint: hasColours(process) ? colours : noColours,
      width: width ?? columnsOf(stdout),
    };
    const deps = { ...tapeDeps('diagram'), template: join(__dirname, 'page.html') };
    const line$ = follow
      ? startFollowing(deps, file, drawing).pipe(takeUntil(stopSignal()))
      : startDrawing(deps, file, drawing).pipe(mergeMap(linesOf));
    line$
      .pipe(map(toTerminalLine), writeLines(stdout))
      .subscribe({ error: failAs('diagram') })
      .add(exitWhenWritten('diagram'));
  },
});

/** The lines of a drawing; a file that was written is a remark. */
const linesOf = (drawn: Drawn): Observable<string> => {
  if (drawn.kind === 'lines') return from(drawn.lines);
  remarkAs('diagram')(`${drawn.path}: ${drawn.marbles} marbles, ${Math.ceil(drawn.bytes / 1024)} KB`);
  return EMPTY;
};
