/** Writes a tape's lines for lines that came together. */
import { lazy } from '../lazy';
import { lineEscaper } from './escapeLines';
import type { RecordedLines } from './tape';

/** Calls `emit` with the bytes of a tape's lines and their newlines, in parts that are valid only until it returns. @param t ms */
export type ToTapeLines = (t: number, recorded: RecordedLines, emit: (part: Uint8Array) => void) => void;

const END = '"}\n';

/** Makes the function, which keeps a memory of its own for escaping. */
export const toTapeLines = (): ToTapeLines => {
  const escaper = lazy(lineEscaper);
  return (t, { dir, lines }, emit) => {
    const begin = `${JSON.stringify({ t, dir }).slice(0, -1)},"line":"`;
    emit(Buffer.from(begin));
    escaper()(lines.subarray(0, -1), Buffer.from(END + begin), emit);
    emit(Buffer.from(END));
  };
};
