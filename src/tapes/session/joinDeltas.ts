/** Joins the deltas of a text, as it is cut at other places in each run. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { eventTypeOf } from './pairingKey';

/** The member that holds a piece of a text. */
const TEXT = 'delta';
/** The member that holds a piece of bytes, as base64. */
const BYTES = 'chunk';
/** The event and the member in which a debug adapter relays the output of a program. Source: Debug Adapter Protocol 1.70, Output event. */
const OUTPUT = 'output';

type Output = JsonObject & { body: JsonObject };

/** `seq` is not checked: a comparison has removed the number of the event. */
const isOutput = (value: JsonObject): value is Output =>
  value.type === 'event' && value.event === OUTPUT && value.jsonrpc === undefined && isObject(value.body);

/** The category of an output event, such as `stdout`; undefined for another message. */
export const outputCategoryOf = (value: unknown): string | undefined =>
  isObject(value) && isOutput(value) ? String(value.body.category ?? 'console') : undefined;

const holderOf = (value: unknown): JsonObject | undefined => {
  if (!isObject(value)) return undefined;
  if (isOutput(value)) return OUTPUT in value.body ? value.body : undefined;
  if (typeof value.method !== 'string' || !isObject(value.params)) return undefined;
  const type = eventTypeOf(value.params);
  const holder = type === '' ? value.params : (value.params.msg as JsonObject);
  const isPiece = /delta$/i.test(type || value.method) && (TEXT in holder || BYTES in holder);
  return isPiece ? holder : undefined;
};

/** The message without its piece, and without the number that events of a debug adapter have. */
const frameOf = (value: unknown, holder: JsonObject): string => {
  const isPrinted = isObject(value) && value.body === holder;
  const plain = isPrinted ? { ...value, seq: 0 } : value;
  const empty = isPrinted ? { [OUTPUT]: '' } : { [TEXT]: '', [BYTES]: '' };
  return JSON.stringify(plain, (_, part: unknown) => (part === holder ? { ...holder, ...empty } : part));
};

const joinedText = (a: unknown, b: unknown): unknown => (typeof a === 'string' && typeof b === 'string' ? a + b : a);
const joinedBytes = (a: unknown, b: unknown): unknown =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.concat([Buffer.from(a, 'base64'), Buffer.from(b, 'base64')]).toString('base64')
    : a;

/** Messages in their order, with each run of deltas that differ only in their pieces joined into one message. */
export const joinDeltas = <T extends { value: unknown }>(items: readonly T[]): T[] =>
  items.reduce<T[]>((joined, item) => {
    const last = joined.at(-1);
    const [piece, before] = [holderOf(item.value), holderOf(last?.value)];
    if (!last || !piece || !before || frameOf(item.value, piece) !== frameOf(last.value, before)) {
      joined.push(item);
      return joined;
    }
    const whole = {
      ...before,
      ...(isObject(last.value) &&
        last.value.body === before && { [OUTPUT]: joinedText(before[OUTPUT], piece[OUTPUT]) }),
      ...(TEXT in before && { [TEXT]: joinedText(before[TEXT], piece[TEXT]) }),
      ...(BYTES in before && { [BYTES]: joinedBytes(before[BYTES], piece[BYTES]) }),
    };
    joined[joined.length - 1] = { ...last, value: replaced(last.value as JsonObject, before, whole) };
    return joined;
  }, []);

const replaced = (value: JsonObject, holder: JsonObject, whole: JsonObject): JsonObject => {
  if (value.body === holder) return { ...value, body: whole };
  if (value.params === holder) return { ...value, params: whole };
  return { ...value, params: { ...(value.params as JsonObject), msg: whole } };
};
