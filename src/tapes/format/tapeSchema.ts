/** The schemas of a tape's lines. Objects are open: members that are not named here pass and are kept. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy/lazy';

/** The first line of a session. */
export const metaSchema = lazy(() =>
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

/** Some 3,000 years: a time in a tape is added to dates, and there is none beyond the year 275760. */
const MAX_MS = 1e14;

/** Every other line. */
export const entrySchema = lazy(() =>
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
  }),
);

/** The JSON Schema of a line of a tape file. */
export const tapeJsonSchema = (): object => z.toJSONSchema(z.union([metaSchema(), entrySchema()]));
