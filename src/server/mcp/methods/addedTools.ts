/** The tools that an option offers besides `codex` and `codex-reply`. */
import { catchError, defer, map, type Observable, of } from 'rxjs';
import { ThreadArguments, ThreadsArguments } from '../../../protocol/codex/toolArguments';
import { type JsonObject, toObject } from '../../../protocol/jsonrpc/json';
import type { Request } from '../../../protocol/jsonrpc/messages';
import type { CallToolResult } from '../../../protocol/mcp/mcp';
import { type CodexHost, HostError, type StoredConversation } from '../../../protocol/methods/host';
import { type Result, toResult } from '../../../protocol/rpc/answerOnce';
import { toVisible } from '../../../streams/text/visible';
import type { ToolOffer } from '../../faces/tools';
import type { Caller, McpCall } from '../caller';
import { isModern } from '../withClient';
import { type Command, type MethodDeps, serverMeta } from './method';
import { readArguments } from './readArguments';

/** A call of a tool, and the command that it leads to. Throws InvalidArguments. */
export type AddedTool = (called: { request: Request; caller: Caller; args: JsonObject }) => Command;

type AddedDeps = { offer?: ToolOffer; toCall: (caller: Caller) => McpCall };

/** The offered tools by name. */
export const addedTools = ({ offer = {}, toCall }: AddedDeps): Record<string, AddedTool> => ({
  ...(offer.waits && {
    'codex-wait': ({ caller, args }) => {
      const { threadId } = readArguments('codex-wait', ThreadArguments(), args);
      return { kind: 'wait', threadId, call: toCall(caller) };
    },
  }),
  ...(offer.threads && {
    'codex-interrupt': ({ caller, args }) => {
      const { threadId: id } = readArguments('codex-interrupt', ThreadArguments(), args);
      const call = toCall(caller);
      const about = { callId: call.callId, eventId: String(caller.id), askable: false };
      return { kind: 'begin', call, op: { kind: 'interruptThread', ...about, thread: { id } } };
    },
    'codex-threads': ({ request, args }) => {
      readArguments('codex-threads', ThreadsArguments(), args);
      return { kind: 'later', request };
    },
  }),
});

const LIMIT = 20;

/** Answers a call of codex-threads, whose arguments were read before. */
export const listThreads =
  ({ face, codexHost }: Pick<MethodDeps, 'face'> & { codexHost: () => Pick<CodexHost, 'listStored'> }) =>
  ({ params }: Request): Observable<Result> => {
    const { limit = LIMIT } = toObject(params.arguments);
    return defer(() => codexHost().listStored({ limit: Number(limit) })).pipe(
      map(toThreads),
      catchError((error: Error) => {
        if (!(error instanceof HostError)) throw error;
        return of<CallToolResult>({ content: [{ type: 'text', text: error.message }], isError: true });
      }),
      map((result) =>
        toResult(isModern(params) ? { resultType: 'complete', ...result, _meta: serverMeta(face) } : result),
      ),
    );
  };

const toThreads = (stored: readonly StoredConversation[]): CallToolResult => {
  const threads = stored.map(({ id, cwd, preview, name, writtenMs }) => ({
    threadId: id,
    cwd,
    preview: name ?? preview,
    updatedAt: new Date(writtenMs).toISOString(),
  }));
  const lines = threads.map(({ threadId, cwd, preview, updatedAt }) =>
    toVisible([threadId, updatedAt, cwd, preview].join('  ')),
  );
  const text = lines.length === 0 ? 'There are no threads yet. Start one with the tool codex.' : lines.join('\n');
  return { content: [{ type: 'text', text }], structuredContent: { threads } };
};
