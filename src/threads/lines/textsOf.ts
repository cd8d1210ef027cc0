/** Reading parts of content, whatever their type. */
import { isObject } from '../../protocol/jsonrpc/json';

/** The texts of a list of parts, in order; none of a value that is no list. */
export const textsOf = (parts: unknown): string[] =>
  Array.isArray(parts)
    ? parts.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    : [];
