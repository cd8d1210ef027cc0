/** Reads ids exactly: an integer beyond 2^53 keeps all its digits, as a bigint. */
import { isObject, type JsonObject } from './json';
import type { RequestId } from './messages';
import { rawMember } from './rawMember';

/** The text of a message, for values that parsing has rounded. */
export type Line = () => string;

/** The id as it was written; null for one that cannot be used, such as a number that was rounded and is not written as an integer. */
export const readId = (id: unknown, line: Line): RequestId | null => {
  if (typeof id === 'string') return id;
  if (!isUnsafe(id)) return typeof id === 'number' ? id : null;
  const exact = exactNumber(id, line, ['id']);
  return typeof exact === 'bigint' || isKept(rawMember(line(), ['id'])) ? exact : null;
};

/** True for a text such as 1e20: a double keeps fifteen digits. 9007199254740993.0 would come back as 9007199254740992. */
const isKept = (raw = ''): boolean =>
  Number.isInteger(Number(raw)) && raw.replace(/e.*/i, '').replace(/\D/g, '').length <= 15;

/** A double ends at 309 digits; a longer number has become Infinity, and making a bigint of it could take seconds. */
const INTEGER = /^-?\d{1,309}$/;

/** An integer as it was written; what is written as a fraction or with an exponent stays as it was read. */
const exactNumber = (rounded: number, line: Line, path: readonly string[]): number | bigint => {
  const raw = rawMember(line(), path);
  return raw !== undefined && INTEGER.test(raw) ? BigInt(raw) : rounded;
};

/** Ids that travel inside params (a cancelled request, a progress token) stay exact as well. */
export const withExactIds = (params: JsonObject, line: Line): JsonObject => {
  const meta = params._meta;
  let exact = params;
  if (isUnsafe(params.requestId)) {
    exact = { ...exact, requestId: exactNumber(params.requestId, line, ['params', 'requestId']) };
  }
  if (isObject(meta) && isUnsafe(meta.progressToken)) {
    const progressToken = exactNumber(meta.progressToken, line, ['params', '_meta', 'progressToken']);
    exact = { ...exact, _meta: { ...meta, progressToken } };
  }
  return exact;
};

const isUnsafe = (value: unknown): value is number => typeof value === 'number' && !Number.isSafeInteger(value);
