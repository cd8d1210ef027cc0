/** The arguments of a tool, read by its schema. */
import type * as z from 'zod/mini';
import { faultsOf } from '../../../protocol/jsonrpc/checkParams';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { clipName } from '../../../protocol/rpc/failureOutcome';
import { nearest } from '../../../streams/text/nearest';

/** The arguments do not fit. The model that wrote them must read why, so this becomes a tool result, not a protocol error. */
export class InvalidArguments extends Error {
  override name = 'InvalidArguments';
}

/** An empty text counts as absent: models fill with it what they leave out. A prompt may be empty. */
export const readArguments = <S extends z.ZodMiniObject>(tool: string, schema: S, args: JsonObject): z.output<S> => {
  const isFilled = (name: string): boolean => name !== 'prompt' && Object.hasOwn(schema.shape, name);
  const isGiven = ([name, value]: [string, unknown]): boolean => value !== '' || !isFilled(name);
  const present = Object.fromEntries(Object.entries(args).filter(isGiven));
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data as z.output<S>;
  const unknown = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  throw new InvalidArguments(
    unknown.length > 0
      ? unknown.map((name) => unknownName(tool, name, Object.keys(schema.shape))).join(' ')
      : `The arguments of ${tool} do not fit: ${faultsOf(parsed.error)}.`,
  );
};

const unknownName = (tool: string, name: string, known: string[]): string => {
  const near = nearest(name, known);
  const hint = near === undefined ? `It takes ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
  return `${tool} has no argument \`${clipName(name)}\`. ${hint}`;
};
