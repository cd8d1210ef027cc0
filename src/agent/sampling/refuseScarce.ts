/** Refuses a call for which this machine lacks a resource, such as open files or memory. */
import { type Observable, of } from 'rxjs';
import { fileReasonOf } from '../../streams/text/fileReasonOf';
import { systemRemedy } from '../../streams/text/systemRemedy';
import type { AssessedCall } from '../tools/tool';

/** Nothing has run yet, so too many open files, for example, end the call and not the turn. Throws any other error. */
export const refuseScarce = (error: NodeJS.ErrnoException): Observable<AssessedCall> => {
  const remedy = systemRemedy(error.code);
  if (remedy === undefined) throw error;
  return of({ verdict: 'refuse', output: `the call was not run: ${fileReasonOf(error)}; ${remedy}` });
};
