/** Draws a tape: as lines for a terminal, or as a file whose extension names its kind. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { map, type Observable } from 'rxjs';
import { type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeNew';
import type { Paint } from '../../io/terminal/paint';
import { toChart } from '../../tapes/diagram/toChart';
import type { Axis } from '../../tapes/drawing/layout';
import { toPage, toPageData } from '../../tapes/drawing/toPage';
import { toSvg } from '../../tapes/drawing/toSvg';
import { toTerminal } from '../../tapes/drawing/toTerminal';
import type { Session } from '../../tapes/format/tape';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';

/** `template` is the file of the page without its data. */
export type DrawDeps = LoadDeps & { template: string };

/** `out` ends with .svg or .html; undefined for the terminal. `session` counts from 1. */
export type Drawing = { session?: number; out?: string; axis: Axis; paint: Paint; width: number };

/** The result: lines to show, or a file that was written, with its size. */
export type Drawn = { kind: 'lines'; lines: string[] } | { kind: 'file'; path: string; bytes: number; marbles: number };

/** Draws one session. Errors with TapeError where there is none, or where the file cannot be written or is there already. */
export const startDrawing = (deps: DrawDeps, path: string, drawing: Drawing): Observable<Drawn> =>
  loadSession(deps, path, drawing.session).pipe(map((session) => draw(deps, { path, session }, drawing)));

type Loaded = { path: string; session: Session };

const draw = ({ template }: DrawDeps, { path, session }: Loaded, { out, ...options }: Drawing): Drawn => {
  const chart = toChart(toSessionIndex(session));
  if (out === undefined) return { kind: 'lines', lines: toTerminal(chart, options) };
  const title = path === '-' ? 'a tape' : basename(path);
  const text =
    extname(out) === '.svg'
      ? toSvg(chart, { title, axis: options.axis })
      : toPage(readFileSync(template, 'utf8'), toPageData(chart, { title, axis: options.axis }));
  return { kind: 'file', path: out, bytes: write(out, text), marbles: chart.marbles.length };
};

/** A picture holds the texts of the session, so only its owner may read it. */
const write = (path: string, text: string): number => {
  writeNew(path, text);
  return Buffer.byteLength(text);
};
