/** The schemas of fs/applyChanges, a method that Codex does not have: the files of a patch. */
import * as z from 'zod/mini';
import { lazy } from '../../lazy';
import { RestrictionsParams } from './paramTypes';

const Content = lazy(() => z.nullish(z.object({ dataBase64: z.string(), mode: z.nullish(z.number()) })));

/** A file of a patch as the wire has it; `dataBase64` is what it holds. */
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

/** The params: the files of one patch, what the method is restricted to, and the id of its note, where the client keeps that. */
export const ApplyChangesParams = lazy(() =>
  z.extend(RestrictionsParams(), {
    changes: z.array(WireChange()),
    journalId: z.nullish(z.string().check(z.regex(/^[0-9a-f]{1,64}$/))),
  }),
);

/** The params of fs/settleChanges: the note of a patch, and how far that came. */
export const SettleChangesParams = lazy(() =>
  z.extend(RestrictionsParams(), { journal: z.unknown(), phase: z.enum(['open', 'committed']) }),
);
