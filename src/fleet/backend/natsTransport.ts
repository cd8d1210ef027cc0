/** The connection to an exec-server behind NATS: JSON-RPC messages on a subject of its own, responses on one of ours. */
import { defer, filter, finalize, merge, type Observable, skip, switchMap, take, timeout } from 'rxjs';
import type { ExecTransport } from '../../executor/remote/execTransport';
import type { ExecMessage, ExecOutgoing } from '../../protocol/exec/codec';
import { kindHeader, NOTHING } from '../executor/busMessage';
import { findMember } from '../executor/findMember';
import { execSubjects } from '../executor/subjects';
import type { NatsLink } from '../link/natsLink';
import { receiveMessages, sendMessages } from './exchangeMessages';
import { keepAlive } from './keepAlive';

/** @param executor its name; @param newId makes the names of connections, never the same one twice */
export type NatsTransportDeps = { link$: Observable<NatsLink>; executor: string; newId: () => string };

/** How long a connection to a server of NATS is waited for. */
const LINK_MS = 60_000;

/**
 * Opens one connection to the executor of this name per subscription. Errors when there is none, when it is gone, and when messages may
 * be lost, because one end lost its connection to NATS. Unsubscribing ends the connection at the executor too.
 */
export const natsTransport =
  ({ link$, executor, newId }: NatsTransportDeps): ExecTransport =>
  (out$) =>
    link$.pipe(
      switchMap((link) =>
        whenConnected(link).pipe(
          switchMap(() => findMember(link, executor)),
          switchMap(({ instance }) => converse(link, { executor, instance, connection: newId() }, out$)),
        ),
      ),
    );

const whenConnected = (link: NatsLink): Observable<unknown> =>
  link.state$.pipe(
    filter(({ kind }) => kind === 'connected'),
    take(1),
    timeout({ first: LINK_MS, with: () => lost(link) }),
  );

const lost = ({ address }: NatsLink): Observable<never> =>
  defer(() => {
    throw new Error(`the connection to NATS at ${address} was lost`);
  });

type Name = { executor: string; instance: string; connection: string };

const converse = (link: NatsLink, name: Name, out$: Observable<ExecOutgoing>): Observable<ExecMessage> => {
  const subjects = execSubjects(link.prefix);
  const subject = subjects.calls(name);
  const loss$ = link.state$.pipe(
    skip(1), // the state now
    switchMap(() => lost(link)),
  );
  return merge(
    link.subscribe({ subject: subjects.client(name.connection) }).pipe(receiveMessages()),
    out$.pipe(sendMessages(link, subject)),
    keepAlive({ link, subject, executor: name.executor }),
    loss$,
  ).pipe(finalize(() => link.publish({ subject, data: NOTHING, headers: kindHeader('end') })));
};
