/** Decodes lines into messages with any codec. */
import type { OperatorFunction } from 'rxjs';
import { mapMulti } from '../../streams/gather';
import { decodeMessage } from '../jsonrpc/decodeMessage';
import type { Message } from '../jsonrpc/messages';

/**
 * Each line becomes one message; blank lines are skipped.
 * @param decode the dialect
 * Emits a `fault` for a line that is not a message, so no line is lost silently. Never errors by itself.
 */
export const decodeMessages = (decode: (line: string) => Message = decodeMessage): OperatorFunction<string, Message> =>
  mapMulti((line, emit) => {
    if (isWritten(line)) emit(decode(line));
  });

const isWritten = (line: string): boolean => line !== '' && (line.charCodeAt(0) === 123 || /\S/.test(line));
