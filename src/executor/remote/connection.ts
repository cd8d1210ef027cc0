/** Owns what a connection to an exec-server is, whatever carries it. */
import type { OperatorFunction } from 'rxjs';
import type { ExecMessage, ExecOutgoing } from '../../protocol';

/**
 * One connection for each subscription: what we say goes in, what the server says comes out. What is said before it
 * stands waits. Completes or errors when it is lost.
 */
export type Connection = OperatorFunction<ExecOutgoing, ExecMessage>;
