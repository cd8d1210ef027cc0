/** One answer of a scripted model, whatever dialect it is written in. */
import type { Json } from '../../support/daemon/peer';

/** One piece of an answer; `event` and `sse` are written as they are, `delay` is in milliseconds. */
export type Item = Json;

/** `end` is how the stream ends: by default as a complete one. Milliseconds before it and between its deltas. */
export type ModelAnswer = {
  items?: Item[];
  status?: number;
  body?: unknown;
  delay?: number;
  delta_delay?: number;
  usage?: Json | null;
  end?: 'cut' | 'destroy' | 'hang' | { incomplete: string };
};

/** Something to write into the stream, or a pause of so many milliseconds. */
export type Piece = string | number;

/** The pieces of one answer; `label` makes its ids. */
export type Dialect = (answer: ModelAnswer, label: string) => Piece[];

/** The text in as many pieces; an array is the pieces themselves, 0 is none. */
export const deltasOf = (text: string, deltas: number | string[] = 1): string[] => {
  if (Array.isArray(deltas)) return deltas;
  if (deltas === 0) return [];
  const size = Math.max(1, Math.ceil(text.length / deltas));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
};
