/** Looks up the conversation on disk that a request names. */
import { catchError, defer, type MonoTypeOperatorFunction, map, mergeMap, type Observable, of } from 'rxjs';
import type { Log } from '../../protocol/log';
import type { CodexHost } from '../../protocol/methods/host';
import { divert } from '../../streams/divert';
import { lazy } from '../../streams/lazy/lazy';
import type { Stored } from '../conversations/requestStep';
import { codexRoom } from './codexRoom';
import type { ConversationCommand } from './command';
import type { ConnectionInput } from './connectionReducer';

/** `codexHost` is made by the first request that needs it. */
type StoredDeps = { codexHost: () => CodexHost; log: Log };

/**
 * Adds what is on disk to the requests that resume a conversation; all else passes at once.
 *   in   a-r-b----      (r resumeConversation)
 *   out  a---b-R--      (R with its conversation, or why there is none)
 */
export const withStored = (deps: StoredDeps): MonoTypeOperatorFunction<ConnectionInput> =>
  divert<ConnectionInput, ConversationCommand, ConnectionInput>({
    project: (input, { emit, divert }) => (isResume(input) ? divert(input) : emit(input)),
    other: mergeMap((input) => find(deps, input.request.params).pipe(map((stored) => ({ ...input, stored })))),
  });

const isResume = (input: ConnectionInput): input is ConversationCommand =>
  input.kind === 'conversation' && input.request.method === 'resumeConversation';

const find = ({ codexHost, log }: StoredDeps, { conversationId, path }: Record<string, unknown>): Observable<Stored> =>
  defer(() =>
    codexHost().findStored({
      ...(typeof conversationId === 'string' && { id: conversationId }),
      ...(typeof path === 'string' && { path }),
    }),
  ).pipe(
    catchError((error: Error) =>
      of({
        fault:
          error instanceof codexRoom().HostError
            ? error.message
            : turns().reportFault(log, { what: 'a request failed', callId: '' }, error),
      }),
    ),
  );

/** Loaded by the first fault, as start-up time counts: it knows the errors of the configuration. */
const turns = lazy(() => require('../../agent/turns/reportFault') as typeof import('../../agent/turns/reportFault'));
