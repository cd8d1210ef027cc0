/** Owns the process around a picture of a tape. */
import { join } from 'node:path';
import { from, mergeMap, of } from 'rxjs';
import { startDrawing } from '../app/tape';
import { type Axis, colours, noColours } from '../transcript';
import { writeLines } from '../transport';
import { endWithTrouble, endWritten, tellAs } from './tapeProcess';

/** What the command line says. A lone - is read by yargs as no text. */
export type DiagramArguments = { file: string; session?: number; width?: number; out?: string; axis: Axis };

const WIDTH = 80;

/** Draws a tape in marbles on stdout, or into a file. */
export const diagramProcess = ({ file, session, width, out, axis }: DiagramArguments): void => {
  const { stdin, stdout, env } = process;
  const tell = tellAs('diagram');
  const paint = stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? colours : noColours;
  const drawing = { session, out, axis, paint, width: width ?? (stdout.columns || WIDTH) };
  startDrawing({ stdin, tell, template: join(__dirname, 'page.html') }, file || '-', drawing)
    .pipe(
      mergeMap((drawn) => {
        if (drawn.kind === 'lines') return from(drawn.lines);
        tell(`${drawn.path}: ${drawn.marbles} marbles, ${Math.ceil(drawn.bytes / 1024)} KB`);
        return of();
      }),
      writeLines(stdout),
    )
    .subscribe({ error: endWithTrouble('diagram') })
    .add(endWritten('diagram'));
};
