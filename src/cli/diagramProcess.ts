/** Owns the process around a picture of a tape. */
import { from, map, mergeMap } from 'rxjs';
import { loadSession } from '../app/tape';
import { colours, noColours, toDiagram, toLegend, toPicture } from '../transcript';
import { writeLines } from '../transport';
import { endWithTrouble, tellAs } from './tapeProcess';

/** What the command line says. A lone - is read by yargs as no text. */
export type DiagramArguments = { file: string; session?: number; width?: number };

const WIDTH = 80;

/** Draws a tape in marbles on stdout. */
export const diagramProcess = ({ file, session, width }: DiagramArguments): void => {
  const { stdin, stdout, env } = process;
  const paint = stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? colours : noColours;
  const options = { paint, width: width ?? (stdout.columns || WIDTH) };
  loadSession({ stdin, tell: tellAs('diagram') }, file || '-', session)
    .pipe(
      map(toPicture),
      mergeMap((marbles) => from([...toDiagram(marbles, options), '', ...toLegend(marbles, options)])),
      writeLines(stdout),
    )
    .subscribe({ error: endWithTrouble('diagram') })
    .add(() => process.exit());
};
