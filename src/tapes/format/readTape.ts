/** Reads the lines of a tape file. A line that cannot be read becomes an item with its cause; the other lines stay usable. */
import { type OperatorFunction, scan } from 'rxjs';
import * as z from 'zod/mini';
import { faultsOf } from '../../protocol/jsonrpc/checkParams';
import { isObject, isTooDeep, type JsonObject, MAX_LEVELS, mayBeTooDeep } from '../../protocol/jsonrpc/json';
import { mapMany } from '../../streams/gather';
import { lazy } from '../../streams/lazy';
import { type Entry, TAPE_VERSION, type TapeItem } from './tape';

type Reading = { lineNumber: number; t: number; items: TapeItem[] };

/**
 * Each line becomes an item; blank lines are skipped. Each `meta` begins a session.
 * Emits `bad` for a line that is neither meta nor entry, `warning` after a questionable line. Completes and errors with the source.
 *   in  m--a--b-?-|   (? not JSON)
 *   out M--A--B-X-|
 */
export const readTape = (): OperatorFunction<string, TapeItem> => (line$) =>
  line$.pipe(
    scan<string, Reading>(readLine, { lineNumber: 0, t: 0, items: [] }),
    mapMany(({ items }) => items),
  );

/** Some editors write it before the first line. */
const BYTE_ORDER_MARK = /^\ufeff/;

const readLine = (before: Reading, source: string): Reading => {
  const lineNumber = before.lineNumber + 1;
  const text = lineNumber === 1 ? source.replace(BYTE_ORDER_MARK, '') : source;
  if (text.trim() === '') return { ...before, lineNumber, items: [] };
  const item = toItem(text, lineNumber);
  if (item.kind === 'meta') return { lineNumber, t: 0, items: [item, ...versionWarning(item)] };
  if (item.kind !== 'entry') return { lineNumber, t: before.t, items: [item] };
  const { t } = item.entry;
  const warnings = t < before.t ? [outOfOrder(lineNumber, t, before.t)] : [];
  return { lineNumber, t: Math.max(t, before.t), items: [item, ...warnings] };
};

/** The schemas only check: values keep all their members, in their order. */
const toItem = (text: string, lineNumber: number): TapeItem => {
  const bad = (reason: string): TapeItem => ({ kind: 'bad', lineNumber, reason, text });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(
      /[\u0000\ufffd]/.test(text)
        ? 'is not text; the file may be binary'
        : `is cut off or not JSON: ${(error as Error).message.slice(0, 80)}`,
    );
  }
  if (mayBeTooDeep(text) && isTooDeep(value)) return bad(`is nested deeper than ${MAX_LEVELS} levels`);
  if (!isObject(value)) return bad('is not a JSON object');
  if ('meta' in value) {
    const meta = z.safeParse(metaSchema(), value);
    return meta.success ? { kind: 'meta', lineNumber, meta: value.meta as JsonObject } : bad(faultsOf(meta.error));
  }
  const entry = z.safeParse(entrySchema(), value);
  return entry.success ? { kind: 'entry', lineNumber, entry: value as Entry } : bad(faultsOf(entry.error));
};

const versionWarning = ({ lineNumber, meta }: Extract<TapeItem, { kind: 'meta' }>): TapeItem[] =>
  meta.version === undefined || meta.version === TAPE_VERSION
    ? []
    : [
        {
          kind: 'warning',
          lineNumber,
          reason: `has the unknown version ${meta.version}; it is read as version ${TAPE_VERSION}`,
        },
      ];

const outOfOrder = (lineNumber: number, t: number, before: number): TapeItem => ({
  kind: 'warning',
  lineNumber,
  reason: `is at ${t} ms, after a line at ${before} ms; the order of the lines counts`,
});

const metaSchema = lazy(() =>
  z.looseObject({
    meta: z.looseObject({
      version: z.optional(z.number()),
      started: z.optional(z.string()),
      recorder: z.optional(z.string()),
      client: z.optional(z.union([z.string(), z.looseObject({})])),
      server: z.optional(z.union([z.string(), z.looseObject({})])),
      protocol: z.optional(z.string()),
      command: z.optional(z.union([z.string(), z.array(z.string())])),
      redacted: z.optional(z.union([z.boolean(), z.record(z.string(), z.number())])),
    }),
  }),
);

/** Some 3,000 years: a time in a tape is added to dates, which end with the year 275760. */
const MAX_MS = 1e14;

const entrySchema = lazy(() =>
  z.looseObject({
    t: z.number().check(z.gte(0), z.lte(MAX_MS)),
    dir: z.string().check(z.minLength(1)),
    line: z.string(),
    seam: z.optional(z.string()),
    end: z.optional(z.string()),
    bytes: z.optional(z.string()),
    call: z.optional(z.number()),
    status: z.optional(z.number().check(z.gte(200), z.lte(599))),
    head: z.optional(z.string()),
    fault: z.optional(z.looseObject({})),
    injected: z.optional(z.string()),
  }),
);

/** The JSON Schema of a line of a tape file. */
export const tapeJsonSchema = (): object => z.toJSONSchema(z.union([metaSchema(), entrySchema()]));
