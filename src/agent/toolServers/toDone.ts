/** The result of a tool in the form that a model reads. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { MAX_OUTPUT_BYTES, shorten } from '../tools/shorten';
import type { CallEvent } from './toolServer';

const FAILED = 'tool call error: ';

type Done = Extract<CallEvent, { kind: 'done' }>;

/**
 * The structured content, or else the list of contents, as JSON with its long texts shortened. An error that the tool reports stays an error.
 * Source: Codex 0.28.0, CORE 9; there the error was not passed on, and bytes were.
 */
export const toDone = (result: JsonObject): Done => {
  const { structuredContent, content = [], isError } = result;
  const value = structuredContent ?? withoutBytes(content);
  const text =
    isError === true ? `${FAILED}${toShortJson(value, MAX_OUTPUT_BYTES - FAILED.length)}` : toShortJson(value);
  return { kind: 'done', result: { Ok: result }, text };
};

/** Images, audio and files are base64, which a model cannot read; it reads how many bytes there are. The client gets all of them. */
const withoutBytes = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => (isObject(part) ? withoutOwn(part) : part)) : content;

const withoutOwn = ({ data, resource, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(data !== undefined && { data: counted(data) }),
  ...(resource !== undefined && {
    resource: isObject(resource) && 'blob' in resource ? { ...resource, blob: counted(resource.blob) } : resource,
  }),
});

const counted = (base64: unknown): unknown =>
  typeof base64 === 'string' && base64.length > MAX_BASE64
    ? `(${Math.floor((base64.length * 3) / 4)} bytes, left out)`
    : base64;

const MAX_BASE64 = 256;

/** A call that failed, and why. */
export const failed = (why: string): Done => ({
  kind: 'done',
  result: { Err: why },
  text: `${FAILED}${why}`,
});

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
