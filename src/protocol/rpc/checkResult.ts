/** Checking the result of a request against a schema. */
import { map, type OperatorFunction } from 'rxjs';
import * as z from 'zod/mini';
import { faultsOf } from '../jsonrpc/checkParams';

/**
 * Each result as the schema types it. Errors for one that does not fit, with the path of the fault.
 * @param source whose result it is, such as `the exec-server's result of process/read`
 */
export const checkResult =
  <S extends z.core.$ZodType>(schema: () => S, source: string): OperatorFunction<unknown, z.core.output<S>> =>
  (result$) =>
    result$.pipe(
      map((result) => {
        const parsed = z.safeParse(schema(), result);
        if (parsed.success) return parsed.data;
        throw new Error(`${source} cannot be read: ${faultsOf(parsed.error, 'result')}`);
      }),
    );
