/** `listConversations` and `archiveConversation`: conversations on disk. */
import { defer, map } from 'rxjs';
import type { CodexHost, StoredConversation } from '../../protocol/methods/host';
import { ArchiveConversationParams, ListConversationsParams } from '../../protocol/methods/methodParams';
import { toResult } from '../../protocol/rpc/answerOnce';
import { badRequest, type CodexMethod, readParams, withFaults } from '../method';

/** Source: the app-server protocol of the releases after 0.28.0. */
const PAGE = 25;

/** A page of conversations, newest first; the cursor counts those before it. Source: as PAGE. */
export const listConversations =
  ({ listStored }: Pick<CodexHost, 'listStored'>): CodexMethod =>
  (request) => {
    const { pageSize = PAGE, cursor = '0', modelProviders } = readParams(ListConversationsParams(), request);
    const from = Number(cursor);
    const isWanted = ({ provider }: StoredConversation) => !modelProviders?.length || modelProviders.includes(provider);
    return withFaults(badRequest('the conversations cannot be listed: '), () =>
      listStored({ skip: from, limit: pageSize + 1 }).pipe(
        map((all) => {
          const items = all.slice(0, pageSize).filter(isWanted).map(toItem);
          return toResult({ items, nextCursor: all.length > pageSize ? String(from + pageSize) : null });
        }),
      ),
    );
  };

const toItem = (stored: StoredConversation) => ({
  conversationId: stored.id,
  path: stored.path,
  preview: stored.preview,
  timestamp: new Date(stored.startedMs).toISOString(),
  updatedAt: new Date(stored.writtenMs).toISOString(),
  modelProvider: stored.provider,
  cwd: stored.cwd,
  cliVersion: stored.cliVersion,
  source: stored.source,
  gitInfo: null,
});

/** Archives a conversation. One that is open, here or elsewhere, is not archived, and the error names who has it. */
export const archiveConversation =
  ({ archiveStored }: Pick<CodexHost, 'archiveStored'>): CodexMethod =>
  (request) => {
    const { conversationId } = readParams(ArchiveConversationParams(), request);
    return withFaults(badRequest('failed to archive conversation: '), () =>
      defer(() => archiveStored(conversationId)).pipe(map(() => toResult({}))),
    );
  };
