/**
 * Escapes lines as JSON strings are, from bytes to bytes. In WebAssembly, as each byte of a recorded session is escaped once or twice: compared with
 * JSON.stringify of each line, which needs a string before and after it, text takes a tenth of the time and dense JSON half of it.
 */
import { toBuffer } from '../streams';
import { ESCAPE_MODULE } from './escapeModule';

/**
 * Calls `emit` with the escaped bytes of lines, in parts that are valid only until it returns; `border` takes the place of each LF.
 * @param lines UTF-8
 */
export type EscapeLines = (lines: Uint8Array, border: Uint8Array, emit: (part: Uint8Array) => void) => void;

/** What `escapeLines.wat` exports. */
type EscapeModule = {
  memory: { buffer: ArrayBuffer };
  escape: (from: number, end: number, to: number, border: number, borderLength: number) => number;
};

/** Addresses in the memory of the module. */
const LENGTHS = 1024;
const BORDER = 2048;
const FROM = 4096;
const TO = 24_576;
const MEMORY_BYTES = 17 * 65_536;
/** Bytes that may be read and written beyond an end. */
const BEYOND = 32;
/** A byte becomes up to six, an LF the border. */
const MAX_ESCAPE = 6;

/** Makes the function: `escapeByJson`, the slower one, without WebAssembly or the address space that it reserves. */
export const lineEscaper = (): EscapeLines => {
  try {
    return inModule(instantiate());
  } catch {
    return escapeByJson;
  }
};

/** Line by line, by JSON.stringify. */
export const escapeByJson: EscapeLines = (lines, border, emit) => {
  const [text, between] = [toLatin1(lines), toLatin1(border)];
  const escaped = text.split('\n').map((line) => JSON.stringify(line).slice(1, -1));
  emit(Buffer.from(escaped.join(between), 'latin1'));
};

const toLatin1 = (bytes: Uint8Array): string => toBuffer(bytes).toString('latin1');

/** The part of it that is used; the types of Node do not declare it. */
type WebAssemblyGlobal = {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

const instantiate = (): EscapeModule => {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;
  return new Instance(new Module(Buffer.from(ESCAPE_MODULE, 'base64'))).exports as EscapeModule;
};

const inModule = ({ memory, escape: escaped }: EscapeModule): EscapeLines => {
  const bytes = Buffer.from(memory.buffer);
  for (let byte = 0; byte < LENGTHS / 8; byte += 1) {
    bytes[LENGTHS + byte] = bytes.write(JSON.stringify(String.fromCharCode(byte)).slice(1, -1), 8 * byte);
  }
  return (lines, border, emit) => {
    const most = Math.min(TO - FROM, Math.floor((MEMORY_BYTES - TO) / Math.max(MAX_ESCAPE, border.length))) - BEYOND;
    bytes.set(border, BORDER);
    for (let from = 0; from < lines.length; from += most) {
      const part = lines.subarray(from, from + most);
      bytes.set(part, FROM);
      emit(bytes.subarray(TO, escaped(FROM, FROM + part.length, TO, BORDER, border.length)));
    }
  };
};
