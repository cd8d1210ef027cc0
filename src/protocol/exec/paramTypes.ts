/** The types of members that several params share. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { SandboxParams } from './sandboxParams';

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** The types that members have. A count is a u64; a double has no exact integers beyond 2^53, so it is capped there. */
export const types = lazy(() => {
  const text = z.string();
  const flag = z.boolean();
  const count = z.pipe(
    z.number().check(z.refine(isCount, 'invalid number')),
    z.transform((value: number) => Math.min(value, Number.MAX_SAFE_INTEGER)),
  );
  return {
    text,
    flag,
    count,
    texts: z.array(text),
    textMap: z.record(text, text),
    optionalText: z.nullish(text),
    optionalFlag: z.nullish(flag),
    optionalCount: z.nullish(count),
  };
});

/** How a client wants a process, or access to files, to be restricted. */
export const Restrictions = lazy(() => ({
  sandbox: z.nullish(SandboxParams()),
  enforceManagedNetwork: types().optionalFlag,
}));

/** What the params of all file methods have in common. */
export const RestrictionsParams = lazy(() => z.object(Restrictions()));
