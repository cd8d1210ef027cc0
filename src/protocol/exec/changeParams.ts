/** The schemas of fs/applyChanges and fs/settleChanges, methods that Codex does not have: the files of a patch. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { RestrictionsParams } from './paramTypes';

const Content = lazy(() => z.nullish(z.object({ dataBase64: z.string(), mode: z.nullish(z.number()) })));

/** A file of a patch as it appears on the wire; `dataBase64` is its content. */
export const WireChange = lazy(() =>
  z.object({
    path: z.string(),
    absolute: z.string(),
    real: z.string(),
    found: z.enum(['file', 'link', 'nothing']),
    before: Content(),
    after: Content(),
    movedTo: z.nullish(z.string()),
  }),
);

/** The params: the files of one patch, the restrictions, and the id of the journal, if the client keeps one. */
export const ApplyChangesParams = lazy(() =>
  z.extend(RestrictionsParams(), {
    changes: z.array(WireChange()),
    journalId: z.nullish(z.string().check(z.regex(/^[0-9a-f]{1,64}$/))),
  }),
);

/** The params of fs/settleChanges: the journal of a patch, how far the patch came, and when the journal was written, in ms since 1970. */
export const SettleChangesParams = lazy(() =>
  z.extend(RestrictionsParams(), {
    journal: z.unknown(),
    phase: z.enum(['open', 'committed', 'interrupted']),
    sinceMs: z.nullish(z.number()),
  }),
);
