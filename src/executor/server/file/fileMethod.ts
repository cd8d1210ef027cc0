/** What all methods of files have in common. */
import type { Observable } from 'rxjs';
import type * as z from 'zod/mini';
import { type Method, method, type Output } from '../method';
import { withSystemErrors } from './fileErrors';

/** A method of files: its params are checked, errors of the system get the texts that Codex gives them. */
export const fileMethod = <S extends z.core.$ZodType>(
  schema: () => S,
  run: (params: z.output<S>) => Observable<Output>,
): Method => method(schema, (params) => run(params).pipe(withSystemErrors()));
