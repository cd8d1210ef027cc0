/** What all methods of files have in common. */
import type { Observable } from 'rxjs';
import type * as z from 'zod/mini';
import { type Method, method, type Output } from '../method';
import { refuseRestrictions } from '../refuseRestrictions';
import type { Restrictions } from '../toPermissions';
import { withSystemErrors } from './fileErrors';

/** A method of files: its params are checked, restrictions are refused, errors of the system get the original's texts. */
export const fileMethod = <S extends z.core.$ZodType<Restrictions>>(
  schema: () => S,
  run: (params: z.output<S>) => Observable<Output>,
): Method =>
  method(schema, (params) => {
    refuseRestrictions(params);
    return run(params).pipe(withSystemErrors());
  });
