/** Walks values of one shape together, leaf by leaf. */
import { isObject } from '../../protocol/jsonrpc/json';

/** Where a part is, by members and indices from the message on. */
export type Place = readonly (string | number)[];

/** A difference of shape: where, and what the first and the other value are there; `other` is the index of that value. */
export type ShapeDifference = { place: Place; first: string; now: string; other: number };

/** Members that name a request or make a message what it is: they are no values of a behaviour. */
const ENVELOPE =
  /^(?:\d+\.)?(?:jsonrpc|id|method|seq|request_seq|params\.(?:_meta\.)?(?:requestId|progressToken|codex_mcp_tool_call_id)|params\._meta\.io\.modelcontextprotocol\/subscriptionId)$/;

/** A place as a report writes it. */
export const toPath = (place: Place): string =>
  place.reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`), 'message');

/** The first place where values have another shape: other members, another length, or a value in place of an object. */
export const shapeDifference = (values: readonly unknown[], place: Place = []): ShapeDifference | undefined => {
  const [first] = values;
  const other = values.findIndex((value) => shapeOf(value) !== shapeOf(first));
  if (other !== -1) return { place, other, ...toWords(first, values[other]) };
  if (typeof first !== 'object' || first === null) return undefined;
  return Object.keys(first)
    .map((name) => shapeDifference(partsOf(values, name), [...place, Array.isArray(first) ? Number(name) : name]))
    .find((found) => found !== undefined);
};

/** The first value with other leaves. @param ofLeaf gets the leaves at one place, except for those of the envelope */
export const zipLeaves = (
  values: readonly unknown[],
  place: Place,
  ofLeaf: (leaves: readonly unknown[], place: Place) => unknown,
): unknown => {
  const [first] = values;
  if (ENVELOPE.test(place.join('.'))) return first;
  if (Array.isArray(first)) return first.map((_, at) => zipLeaves(partsOf(values, String(at)), [...place, at], ofLeaf));
  if (!isObject(first)) return ofLeaf(values, place);
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, zipLeaves(partsOf(values, name), [...place, name], ofLeaf)]),
  );
};

const partsOf = (values: readonly unknown[], name: string): unknown[] =>
  values.map((value) => (value as Readonly<Record<string, unknown>>)[name]);

const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} items`;
  return isObject(value) ? `members ${JSON.stringify(Object.keys(value).sort())}` : 'a value';
};

const toWords = (first: unknown, now: unknown): { first: string; now: string } => {
  if (!isObject(first) || !isObject(now)) return { first: toWord(first), now: toWord(now) };
  const missing = Object.keys(first).find((name) => !(name in now));
  if (missing !== undefined) return { first: `has ${missing}`, now: `has no ${missing}` };
  const added = Object.keys(now).find((name) => !(name in first));
  return { first: `has no ${added}`, now: `has ${added}` };
};

const toWord = (value: unknown): string => {
  if (Array.isArray(value)) return `has ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  return isObject(value) ? 'is an object' : 'is a value';
};
