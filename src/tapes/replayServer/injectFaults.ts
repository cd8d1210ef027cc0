/** Injects faults into the lines of a played server, for authors of clients. */
import { concat, concatMap, delay, type MonoTypeOperatorFunction, of, scan, takeWhile } from 'rxjs';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Reduced } from '../../streams/gather';
import { draw } from '../../streams/random';
import { tokenize } from '../../streams/text/words';
import { serverLabelOf } from '../session/pairingKey';
import type { PlaybackEvent, PlayedLine } from './playbackSession';

type Injecting = {
  /** The index of the next fault. */
  at: number;
  /** The state of the random generator. */
  random: number;
  /** The server has crashed or ended. */
  over: boolean;
};
type Injected = Reduced<Injecting, PlaybackEvent> & {
  /** How long the output waits, and the remark on that. */
  late?: { ms: number; remark: PlaybackEvent };
};

/** The faults that `?` draws from; most lines pass. */
const DRAWN: readonly Fault['kind'][] = ['pass', 'pass', 'pass', 'pass', 'drop', 'double', 'cut'];

/**
 * Drops, doubles, cuts and delays lines, and ends with a crash. The same seed draws the same faults. Emits a remark `fault` before each line
 * that waits or is not passed. Completes with the source, at a crash or at an end; errors with the source.
 *   faults x-D
 *   in     a-b-c----|
 *   out    f-b-(fcc)|    (f the remark)
 */
export const injectFaults =
  (faults: Faults, seed: number): MonoTypeOperatorFunction<PlaybackEvent> =>
  (event$) =>
    event$.pipe(
      scan<PlaybackEvent, Injected>(({ state }, event) => inject(faults, state, event), {
        state: { at: 0, random: seed, over: false },
        output: [],
      }),
      takeWhile(({ state }) => !state.over, true),
      concatMap(({ output, late }) =>
        late === undefined ? output : concat(of(late.remark), of(...output).pipe(delay(late.ms))),
      ),
    );

const inject = ({ faults, repeat }: Faults, state: Injecting, event: PlaybackEvent): Injected => {
  if (event.kind !== 'line') return { state, output: [event] };
  const fault = faults[repeat === 'again' ? state.at % faults.length : state.at];
  if (fault === undefined) return { state, output: [event] };
  const { value, next } = draw(state.random);
  const kind = fault.kind === 'random' ? (DRAWN[Math.floor(value * DRAWN.length)] ?? 'pass') : fault.kind;
  const after: Injecting = {
    at: state.at + 1,
    random: fault.kind === 'random' ? next : state.random,
    over: kind === 'crash' || kind === 'end',
  };
  return { state: after, output: toOutput(kind, event, state.at + 1), late: lateness(fault, event, state.at + 1) };
};

const TEXTS: Partial<Record<Fault['kind'], string>> = {
  drop: 'is lost',
  double: 'comes twice',
  cut: 'is cut in half',
};

const lateness = ({ afterMs: ms }: Fault, event: PlayedLine, number: number): Injected['late'] =>
  ms === 0 ? undefined : { ms, remark: { kind: 'fault', text: `fault: ${nameOf(event, number)} waits ${ms} ms` } };

const nameOf = ({ line }: PlayedLine, number: number): string =>
  `line ${number} (${serverLabelOf(parseLine(line).messages[0])})`;

const toOutput = (kind: Fault['kind'], event: PlayedLine, number: number): PlaybackEvent[] => {
  const name = nameOf(event, number);
  const remark: PlaybackEvent = { kind: 'fault', text: `fault: ${name} ${TEXTS[kind]}` };
  switch (kind) {
    case 'drop':
      return [remark];
    case 'double':
      return [remark, event, event];
    case 'cut':
      return [remark, { ...event, line: event.line.slice(0, Math.floor(event.line.length / 2)) }];
    case 'crash':
      return [{ kind: 'crash', text: `fault: the server crashes before ${name}` }];
    case 'end':
      return [{ kind: 'fault', text: `fault: the server ends before ${name}` }];
    default:
      return [event];
  }
};

type Fault = {
  /** What happens to a line. `crash` and `end` take its place; `crash` is not an orderly end. */
  kind: 'pass' | 'drop' | 'double' | 'cut' | 'random' | 'crash' | 'end';
  /** How long the line waits before that. */
  afterMs: number;
};

/** The faults of the lines that a server sends, one for each. */
export type Faults = {
  faults: readonly Fault[];
  /** `again`: starts over after the last fault. `once`: all further lines pass. */
  repeat: 'once' | 'again';
};

const SIGNS: Readonly<Record<string, Fault['kind']>> = {
  '-': 'pass',
  x: 'drop',
  D: 'double',
  c: 'cut',
  '?': 'random',
  '#': 'crash',
  '|': 'end',
};

const PIECE = /(\d+(?:\.\d+)?)(ms|s|m)|([-xDc?#|])/gy;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/**
 * Reads faults; undefined if the text is no row of faults. A time at the end delays a line that passes.
 *   ---x-2s-D    (three lines pass, one is lost, one passes, one passes after 2 s, one comes twice)
 */
export const readFaults = (text: string): Faults | undefined => {
  const row = text.replace(/\*$/, '');
  const faults: Fault[] = [];
  let afterMs = 0;
  for (const [, count, unit, sign] of tokenize(PIECE, row) ?? []) {
    if (sign === undefined) afterMs += Number(count) * (UNITS[unit ?? ''] ?? 1);
    else {
      faults.push({ kind: SIGNS[sign] as Fault['kind'], afterMs });
      afterMs = 0;
    }
  }
  if (afterMs > 0) faults.push({ kind: 'pass', afterMs });
  if (faults.length === 0) return undefined;
  return { faults, repeat: row === text ? 'once' : 'again' };
};
