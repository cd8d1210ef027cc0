/** Removes secrets from the error that ends an answer: a server may quote the request in it. */
import { catchError, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import { ModelError } from '../../protocol/model/model';
import { redact } from './request';

/**
 * Passes everything on; the message of a ModelError no longer contains a secret.
 *   in   -e-#
 *   out  -e-#   (with *** for each secret)
 */
export const hideInErrors = <T>(secrets: (string | undefined)[]): MonoTypeOperatorFunction<T> =>
  catchError((error) => throwError(() => (error instanceof ModelError ? hidden(error, secrets) : error)));

const hidden = ({ message, retryable, tried }: ModelError, secrets: (string | undefined)[]): ModelError =>
  new ModelError(redact(message, secrets), retryable, tried);
