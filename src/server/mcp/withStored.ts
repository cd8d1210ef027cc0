/** Looks up the conversation on disk that a request names. */
import { catchError, defer, type MonoTypeOperatorFunction, map, mergeMap, type Observable, of } from 'rxjs';
import { divert } from '../../streams';
import type { CodexHost, Stored } from '../codex';
import { codexRoom } from './codexRoom';
import type { ConversationCommand } from './command';
import type { ConnectionInput } from './connectionReducer';

/**
 * Adds what is on disk to the requests that resume a conversation; all else passes at once.
 *   in   a-r-b----      (r resumeConversation)
 *   out  a---b-R--      (R with its conversation, or why there is none)
 */
export const withStored = ({ codexHost }: { codexHost: () => CodexHost }): MonoTypeOperatorFunction<ConnectionInput> =>
  divert<ConnectionInput, ConversationCommand, ConnectionInput>({
    project: (input, { emit, divert }) => (isResume(input) ? divert(input) : emit(input)),
    other: mergeMap((input) => find(codexHost(), input.request.params).pipe(map((stored) => ({ ...input, stored })))),
  });

const isResume = (input: ConnectionInput): input is ConversationCommand =>
  input.kind === 'conversation' && input.request.method === 'resumeConversation';

const find = (host: CodexHost, { conversationId, path }: Record<string, unknown>): Observable<Stored> =>
  defer(() =>
    host.findStored({
      ...(typeof conversationId === 'string' && { id: conversationId }),
      ...(typeof path === 'string' && { path }),
    }),
  ).pipe(
    catchError((error: unknown) => {
      if (error instanceof codexRoom().HostError) return of({ fault: error.message });
      throw error;
    }),
  );
