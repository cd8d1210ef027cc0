/** What a request is sent of a step that takes long: the step, how long it has taken, the last line of its output. */
import { stripVTControlCharacters } from 'node:util';
import { filter, map, merge, type Observable, repeat, scan, takeUntil } from 'rxjs';
import { ofKind } from '../../../streams/ofKind';
import { clip } from '../../../streams/text/trim';
import type { Caller } from '../caller';
import type { McpDeps } from '../mcpDeps';

/** How often a request is sent progress at least. */
const EVERY_MS = 5_000;

/** What is being done, as a short text. `lasts`: until the next step; else it is done already. */
type Doing = { caller: Caller; doing: string; lasts: boolean };

/** What changes the progress of a waiting request. `output`: a piece of what a command prints. */
export type Update =
  | ({ kind: 'started' } & Doing)
  | ({ kind: 'step' } & Doing)
  | { kind: 'output'; caller: Caller; chunk: Uint8Array }
  | { kind: 'over'; caller: Caller };

/** The newest step, what it printed last, and how many beats there were since it began. `isBeat`: the last thing was a beat. */
type Beat = { step?: Doing; chunk?: Uint8Array; beats: number; isBeat: boolean };

const TICK = { kind: 'tick' } as const;

/**
 * Emits a text every 5 s until the request waits no longer: the newest step, from the second beat on at least how long ago it began, and the
 * last line that its command has printed.
 *   in   s----o------z     (s the step `running: x`, o its output, z over)
 *   out  -- 5s A -- 5s B   (A `running: x: o`, B `running: x (over 5 s): o`)
 */
export const progressBeat = (after: McpDeps['after'], update$: Observable<Update>): Observable<string> =>
  merge(
    update$,
    after(EVERY_MS).pipe(
      repeat(),
      map(() => TICK),
    ),
  ).pipe(
    scan<Update | typeof TICK, Beat>(addUpdate, { beats: 0, isBeat: false }),
    filter(({ isBeat }) => isBeat),
    map(toText),
    takeUntil(update$.pipe(ofKind('over'))),
  );

const addUpdate = (beat: Beat, update: Update | typeof TICK): Beat => {
  switch (update.kind) {
    case 'tick':
      return { ...beat, beats: beat.beats + 1, isBeat: beat.step !== undefined };
    case 'output':
      return { ...beat, chunk: update.chunk, isBeat: false };
    case 'over':
      return { ...beat, isBeat: false };
    default:
      return { step: update, beats: 0, isBeat: false };
  }
};

const toText = ({ step, chunk, beats }: Beat): string => {
  const { doing = '', lasts = true } = step ?? {};
  const seconds = ((beats - 1) * EVERY_MS) / 1000;
  const age = beats > 1 ? ` (over ${seconds} s${lasts ? '' : ' ago'})` : '';
  const line = chunk === undefined || !lasts ? '' : lastLineOf(chunk);
  return `${doing}${age}${line === '' ? '' : `: ${line}`}`;
};

const MAX_CHARS = 100;
const MAX_BYTES = 1_024;

/** The last line with a text, without what steers a terminal. */
const lastLineOf = (chunk: Uint8Array): string => {
  const text = stripVTControlCharacters(Buffer.from(chunk.subarray(-MAX_BYTES)).toString());
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return clip(lines.findLast((line) => line !== '') ?? '', MAX_CHARS);
};
