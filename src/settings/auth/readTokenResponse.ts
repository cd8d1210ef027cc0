/** Reads the response of a server that issues tokens. */
import { defaultIfEmpty, map, type Observable, scan, takeLast, takeWhile } from 'rxjs';
import type { HttpResponse } from '../../io/http/httpRequest';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { parseObject } from '../../protocol/jsonrpc/json';

/** A response: its status, and its JSON if it has any. */
export type TokenResponse = { status: number; statusText: string; json: JsonObject };

/** Far longer than any such response; a longer one, which may never end, is not read any further. */
const MAX_CHARS = 1_048_576;

/**
 * Emits the response once it is complete, with an empty object if it is not JSON or too long; errors with its body.
 *   body  -{--}|
 *   out   -----(r|)
 */
export const readTokenResponse = ({ status, statusText, body$ }: HttpResponse): Observable<TokenResponse> =>
  body$.pipe(
    scan((all, part) => all + part, ''),
    takeWhile((all) => all.length <= MAX_CHARS, true),
    takeLast(1),
    defaultIfEmpty(''),
    map((text) => ({ status, statusText, json: (text.length <= MAX_CHARS && parseObject(text)) || {} })),
  );
