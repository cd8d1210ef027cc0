/** How messages reach an exec-server, whatever carries them. */
import type { OperatorFunction } from 'rxjs';
import type { ExecMessage, ExecOutgoing } from '../../protocol/exec/codec';

/**
 * One connection per subscription: outgoing messages in, incoming messages out. It subscribes to the outgoing messages once it
 * is established. Completes or errors when it is lost.
 */
export type ExecTransport = OperatorFunction<ExecOutgoing, ExecMessage>;
