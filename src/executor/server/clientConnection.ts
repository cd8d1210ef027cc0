/** Owns what is known of who asks. */
import type { Observable } from 'rxjs';
import type { ExecRequest } from '../../protocol/exec';
import type { Backpressure } from '../../streams';

/** A connection, as a session knows it: the queue to its client, and whether that is still there, which takes a moment. */
export type ClientConnection = { backpressure: Backpressure; isAlive: () => Observable<boolean> };

/** What came in, and from whom. */
export type Ask = { by: ClientConnection; request: ExecRequest };
