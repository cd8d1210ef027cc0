/** `codex-rx diagram`: draws a tape in marbles. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, delimiter, extname, join, resolve } from 'node:path';
import { EMPTY, from, map, mergeMap, type Observable, takeUntil } from 'rxjs';
import { foldLast } from '../../app/tapes/foldTape';
import { type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { takenText, writeNew } from '../../app/tapes/writeFiles';
import { trustDeps } from '../../executor/sandbox/belongsToSystem';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { temporaryFolder } from '../../io/disk/temporaryFolders';
import { isProgram, isThere } from '../../io/paths/look';
import { spawnHere } from '../../io/processes/spawnHere';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import { writeLines } from '../../io/stdio/writeLines';
import { colours, noColours, type Paint, toTerminalLine } from '../../io/terminal/paint';
import type { Chart } from '../../tapes/diagram/chart';
import { toChart } from '../../tapes/diagram/toChart';
import { toStory } from '../../tapes/diagram/toStory';
import { AXES, type Axis } from '../../tapes/drawing/layout';
import { toPage, toPageData } from '../../tapes/drawing/toPage';
import { toSvg } from '../../tapes/drawing/toSvg';
import { toTerminal } from '../../tapes/drawing/toTerminal';
import { maxBytes } from '../../tapes/files/tapesIn';
import { type Session, TapeError } from '../../tapes/format/tape';
import { entriesBetween, isBetween, type SessionPart, type Span } from '../../tapes/session/readParts';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { defineCommand } from '../command';
import { plainOptions } from '../commonOptions';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { stopSignal } from '../signals';
import { sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { startFollowing } from '../tapes/followTape';
import { isStory, loadStory, STORY_OPTIONS, type StoryTime, storyTime } from '../tapes/loadStory';
import { columnsOf, hasColours, inLocale } from '../terminal';
import { thisProcess } from '../thisProcess';
import { threadsHere } from './threads';

export const diagram = defineCommand({
  usage: '$0 diagram FILE|FOLDER|THREAD-ID… [-o FILE.html|FILE.svg] [--open]',
  positionals: {
    file: { ...TAPE_FILE, describe: `${TAPE_FILE.describe}; or the id of a thread; or a folder of tapes` },
    more: { type: 'string', array: true, describe: 'More of them, on the same time line' },
  },
  options: {
    session: sessionOf('the file'),
    from: { type: 'number', from: 0, describe: 'Begin at this time of the session, in ms; reads a tape of any size' },
    to: { type: 'number', from: 0, describe: 'End at this time, in ms' },
    out: { alias: 'o', type: 'string', describe: 'Write to this file: .html for a page, .svg for a picture' },
    open: { type: 'boolean', describe: 'Open the page in the browser; without --out it is a temporary file' },
    ...STORY_OPTIONS,
    force: { type: 'boolean', describe: 'Replace the file of --out if it is there' },
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
    ['$0 diagram large.jsonl --from 60000 --to 90000 -o part.html', 'half a minute of a tape that is too large'],
    ['$0 diagram 01a204a1 --open', 'a thread, as a page in the browser'],
    ['$0 diagram tapes/ 01a204a1 --day 2026-11-30 --open', 'all servers of a day and an agent on one time line'],
    ['$0 diagram --follow tape.jsonl', 'a tape while it is recorded; nats://HOST/NAME too'],
  ],
  // The name also keeps a tape from being overwritten.
  problem: ({ file, more, out, follow, force, day, since }, named) => {
    const ignored = ['out', 'open', 'axis', 'session', 'from', 'to'].find((name) => named.has(name));
    if (follow && ignored !== undefined) return `--follow shows each message as it comes, without --${ignored}`;
    if (day !== undefined && since !== undefined) return 'Give --day or --since, not both';
    const ofOne = ['session', 'from', 'to'].find((name) => named.has(name));
    if (ofOne !== undefined && isStory({ file, more, day, since })) return `--${ofOne} goes with one tape`;
    if (follow && isStory({ file, more, day, since })) return '--follow shows one tape';
    if (force && out === undefined) return '--force goes with --out';
    return out === undefined || /.\.(svg|html)$/.test(out)
      ? undefined
      : '--out must be a file that ends with .svg or .html';
  },
  run: ({ file, more, session, from: begin, to: end, axis, width, follow, force, open, ...options }) => {
    const { stdout } = process;
    const out = options.out ?? (open ? pageFile(file) : undefined);
    const drawing = {
      session,
      ...((begin ?? end) !== undefined && { part: { begin: begin ?? 0, end: end ?? Number.POSITIVE_INFINITY } }),
      out,
      taken: force ? ('replace' as const) : ('error' as const),
      axis,
      paint: hasColours(process) ? colours : noColours,
      width: width ?? columnsOf(stdout),
    };
    const deps = drawDeps('diagram');
    const drawn$ = () =>
      isStory({ file, more, ...options })
        ? startStory(deps, [file, ...more], { ...drawing, time: storyTime(options, Date.now()) })
        : startDrawing(deps, file, drawing);
    const line$ = follow
      ? startFollowing(deps, file, drawing).pipe(takeUntil(stopSignal()))
      : drawn$().pipe(mergeMap(linesOf(open ? openFile : () => {})));
    line$
      .pipe(
        map((line) => inLocale(toTerminalLine(line), stdout)),
        writeLines(stdout),
      )
      .subscribe({ error: failAs('diagram') })
      .add(exitWhenWritten('diagram'));
  },
});

/** What drawing needs of this process, for the command of this name. */
export const drawDeps = (command: string): DrawDeps => ({
  ...tapeDeps(command),
  template: join(__dirname, 'page.html'),
});

/** The lines of a drawing; a file that was written is a remark. */
const linesOf =
  (show: (path: string) => void) =>
  (drawn: Drawn): Observable<string> => {
    if (drawn.kind === 'lines') return from(drawn.lines);
    remarkAs('diagram')(`${drawn.path}: ${drawn.marbles} marbles, ${Math.ceil(drawn.bytes / 1024)} KB`);
    show(drawn.path);
    return EMPTY;
  };

/** `template` is the file of the page without its data. */
type DrawDeps = LoadDeps & { template: string };

/** `out` ends with .svg or .html; undefined for the terminal. `session` counts from 1. */
type Drawing = {
  session?: number;
  part?: Span;
  out?: string;
  taken: 'error' | 'replace';
  axis: Axis;
  paint: Paint;
  width: number;
};

/** The result: lines to show, or a file that was written, with its size. */
type Drawn = { kind: 'lines'; lines: string[] } | { kind: 'file'; path: string; bytes: number; marbles: number };

/** Draws one session. Errors with TapeError if there is none, or if the file cannot be written or is there already. */
export const startDrawing = (deps: DrawDeps, path: string, drawing: Drawing): Observable<Drawn> =>
  sessionOrThread(deps, path, drawing).pipe(
    map((session) => {
      const title = path === '-' ? 'a tape' : basename(path);
      return draw(deps, { title, chart: toChart(toSessionIndex(session)) }, drawing);
    }),
  );

/** Draws several sessions on one time line. Errors with TapeError if there are none, or if the file cannot be written or is there already. */
const startStory = (
  deps: DrawDeps,
  paths: readonly string[],
  { time, ...drawing }: Drawing & { time: StoryTime },
): Observable<Drawn> =>
  loadStory({ ...deps, threadOf: (ref) => threadOf(deps, ref) }, paths, time).pipe(
    map((parts) =>
      draw(deps, { title: paths.map((path) => basename(path)).join(', '), chart: toStory(parts) }, drawing),
    ),
  );

const sessionOrThread = (deps: DrawDeps, path: string, { session: number, part }: Drawing): Observable<Session> => {
  const thread$ = threadOf(deps, path);
  if (part === undefined) return thread$ ?? loadSession(deps, path, number);
  if (thread$ === undefined)
    return foldLast(deps, { path, number }, () => entriesBetween(part, maxBytes())).pipe(map(checkPart(path)));
  return thread$.pipe(map((session) => ({ ...session, entries: session.entries.filter(isBetween(part)) })));
};

const THREAD = /^[0-9a-f]{6}[0-9a-f-]*$/i;

const threadOf = (deps: DrawDeps, path: string): Observable<Session> | undefined => {
  if (!THREAD.test(path) || isThere(path)) return undefined;
  const here = threadsHere({
    processInfo: thisProcess(),
    options: plainOptions,
    log: (_, message) => deps.remark(message),
  });
  return here.session(path).pipe(map(({ session }) => session));
};

const checkPart =
  (path: string) =>
  ({ entries, meta, isCut }: SessionPart): Session => {
    if (isCut) throw new TapeError(`${path}: this part is too large; draw a smaller one by --from and --to`);
    if (entries.length === 0) throw new TapeError(`${path}: nothing was sent between --from and --to`);
    return { meta, entries };
  };

type Loaded = { title: string; chart: Chart };

const draw = ({ template }: DrawDeps, { title, chart }: Loaded, { out, taken, ...options }: Drawing): Drawn => {
  if (out === undefined) return { kind: 'lines', lines: toTerminal(chart, options) };
  const text =
    extname(out) === '.svg'
      ? toSvg(chart, { title, axis: options.axis })
      : toPage(readFileSync(template, 'utf8'), toPageData(chart, { title, axis: options.axis }));
  return { kind: 'file', path: out, bytes: write(out, text, taken), marbles: chart.marbles.length };
};

/** A picture holds the texts of the session, so only its owner may read it. */
const write = (path: string, text: string, taken: Drawing['taken']): number => {
  if (taken === 'error' && isThere(path)) throw new TapeError(`${takenText(path)}, or replace it by --force`);
  writeNew(path, text, taken);
  return Buffer.byteLength(text);
};

/** A page in a new private folder, which stays as long as temporary files stay. */
const pageFile = (file: string): string => {
  const name = basename(file).replace(/\.[^.]*$|[^\w.-]/g, '') || 'tape';
  const folder = join(temporaryFolder(), `codex-rx-page-${randomUUID()}`);
  makeNamedFolder(folder);
  return join(folder, `${name}.html`);
};

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Opens a file with the program that the system has for it; a remark says how to do it by hand if there is none. */
const openFile = (path: string): void => {
  const program = OPENERS[process.platform] ?? 'xdg-open';
  if (!isStarted(program, resolve(path)))
    remarkAs('diagram')(`${program} is not here: open the file in a browser yourself`);
};

/** As nobody names the program, it is not taken from the project around. False if it is not there. */
const isStarted = (name: string, path: string): boolean => {
  const processInfo = thisProcess();
  const { env, cwd, platform } = processInfo;
  const folders = trustedFolders(trustDeps(processInfo), env.PATH, [cwd]);
  const program = findProgram({ isProgram, platform }, name, folders);
  if (program === undefined) return false;
  spawnHere(program, [path], { stdio: 'ignore', detached: true, env: { ...env, PATH: folders.join(delimiter) } })
    .on('error', () => {})
    .unref();
  return true;
};
