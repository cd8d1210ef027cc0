/** The JSON of a tool's result, short enough for a model. */
import { MAX_OUTPUT_BYTES, shorten } from '../tools/shorten';

/** Texts are not cut below this size, even if the whole is too long. */
const MIN_BYTES = 256;

/**
 * The JSON of a value. If it would be too long, its long texts are shortened like the output of a command, each around a mark that counts
 * its lines, so that it stays JSON; if it is still too long, it is returned as it is then.
 */
export const toShortJson = (value: unknown, maxBytes = MAX_OUTPUT_BYTES): string => {
  const whole = JSON.stringify(value);
  return Buffer.byteLength(whole) <= maxBytes ? whole : cutTexts(value, { textBytes: maxBytes, maxBytes });
};

const cutTexts = (value: unknown, { textBytes, maxBytes }: { textBytes: number; maxBytes: number }): string => {
  const text = JSON.stringify(value, (_, one) => (typeof one === 'string' ? shorten(one, textBytes) : one));
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes || textBytes <= MIN_BYTES) return text;
  const next = Math.max(MIN_BYTES, Math.floor((textBytes * maxBytes) / bytes) - 1);
  return cutTexts(value, { textBytes: next, maxBytes });
};
