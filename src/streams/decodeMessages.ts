/** Owns the step from lines to messages; the text itself is the codec's. */
import { connect, filter, map, merge, mergeMap, type OperatorFunction } from 'rxjs';
import { decodeMessage, type Message, type MessageBatch } from '../protocol';

/**
 * Each line becomes one message; blank lines are passed over.
 * Emits a `fault` for a line that is no message, so no line is lost in silence. Never errors by itself.
 */
export const decodeMessages = (): OperatorFunction<string, Message> => (line$) =>
  line$.pipe(filter(isWritten), map(decodeMessage));

const isWritten = (line: string): boolean => line !== '' && (line.charCodeAt(0) === 123 || /\S/.test(line));

type Single = Exclude<Message, MessageBatch>;

/**
 * Batches become their members, in order; everything else passes.
 *   in  a-B-c    (B holds x and y)
 *   out a-(xy)-c
 */
export const unbatch = (): OperatorFunction<Message, Single> => (message$) =>
  message$.pipe(
    connect((shared$) =>
      merge(
        shared$.pipe(filter((message): message is Single => message.kind !== 'batch')),
        shared$.pipe(
          filter((message): message is MessageBatch => message.kind === 'batch'),
          mergeMap((batch) => batch.messages),
        ),
      ),
    ),
  );
