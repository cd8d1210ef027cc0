/** Owns reading the marbles of a spec: what each side plays, and when. */
import type { TestMessage } from 'rxjs/internal/testing/TestMessage';
import { TestScheduler } from 'rxjs/testing';
import { type ParsedLine, parseLine } from '../session';
import { type Phase, ScoreError, type Values } from './phase';

/** One marble. `spoken` is its message as a line. */
export type Note = { frame: number; letter: string; value: unknown; spoken: ParsedLine; phase: string };

/** How a side ends: `|` well, `#` with an error. */
export type End = { frame: number; sign: '|' | '#' };

/** A line of marbles. */
export type Part = { notes: Note[]; end?: End };

/** A session as it is to be played. `client` is what is said, `server` what is to be heard; `values` are all letters. */
export type Score = { client: Part; server: Part[]; frames: number; values: Values };

/** Phases behind each other, as one. Throws ScoreError for what cannot be played. */
export const toScore = (phases: readonly Phase[]): Score => {
  if (phases.length === 0) throw new ScoreError('there is nothing to play: no phase was given');
  const score: Score = { client: { notes: [] }, server: [], frames: 0, values: {} };
  for (const phase of phases) {
    const values = { ...score.values, ...phase.values };
    score.values = values;
    const lines = typeof phase.server === 'string' ? [phase.server] : phase.server;
    addLine(score, score.client, phase.client, phase, values);
    lines.forEach((line, i) => {
      score.server[i] ??= { notes: [] };
      addLine(score, score.server[i], line, phase, values);
    });
    score.frames += Math.max(...[phase.client, ...lines].map(lengthOf));
  }
  return score;
};

const addLine = (score: Score, part: Part, line: string, phase: Phase, values: Values): void => {
  for (const { frame, notification } of parse(line)) {
    const at = score.frames + frame;
    if (part.end) throw new ScoreError(`${line}: the line has ended before, at ${part.end.sign}`);
    if (notification.kind !== 'N') part.end = { frame: at, sign: notification.kind === 'C' ? '|' : '#' };
    else part.notes.push(toNote(at, notification.value, phase, values));
  }
};

const toNote = (frame: number, letter: string, phase: Phase, values: Values): Note => {
  const value: unknown = values[letter];
  if (value === undefined) throw new ScoreError(`${letter} stands for nothing: there is no such letter in values`);
  const spoken = parseLine(typeof value === 'string' ? value : JSON.stringify(value));
  return {
    frame,
    letter,
    value: typeof value === 'string' && typeof spoken.value !== 'string' ? (spoken.value ?? value) : value,
    spoken,
    phase: phase.name ?? '',
  };
};

/** The marbles of a line. Only inside `run` a column is a frame, as a millisecond is. */
const parse = (line: string): TestMessage[] => {
  if (/[\^!]/.test(line)) throw new ScoreError(`${line}: ^ and ! have no meaning here`);
  return new TestScheduler(() => {}).run(() => TestScheduler.parseMarbles(line, undefined, undefined, false, true));
};

/** How many frames a line takes. */
const lengthOf = (line: string): number => {
  const last = parse(line).at(-1);
  if (last && last.notification.kind !== 'N') return last.frame + 1;
  return parse(`${line} |`).at(-1)?.frame ?? 0;
};
