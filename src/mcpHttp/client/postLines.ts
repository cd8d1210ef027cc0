/** The lines of a client of MCP over HTTP, in order. */
import { concatMap, map, mergeAll, type Observable, type OperatorFunction, of } from 'rxjs';
import { parseLine } from '../../session';
import type { McpHttpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';

/**
 * Sends each line and emits the responses to it. A line that is not a request is sent once the line before it was accepted,
 * and the next one once that line was accepted too.
 *   in   -a-n-b----     (a, b requests, n a notification that takes 3 frames)
 *   post -a-n--b---
 *   out  ---A----B-
 */
export const postLines =
  ({ post }: Pick<McpHttpClient, 'post'>): OperatorFunction<string, McpEvent> =>
  (line$) =>
    line$.pipe(
      concatMap((line): Observable<Observable<McpEvent>> => {
        const response$ = post(line);
        return isRequest(line) ? of(response$) : response$.pipe(map((event) => of(event)));
      }),
      mergeAll(),
    );

const isRequest = (line: string): boolean => parseLine(line).messages.some(({ kind }) => kind === 'request');
