/** The conversations on disk, for the Codex methods. */
import { defer, map } from 'rxjs';
import { toUuid } from '../../protocol/codex/toUuid';
import { type CodexHost, HostError } from '../../protocol/methods/host';
import { lazy } from '../../streams/lazy';
import { lastTurnContext } from '../../threads/lines/sessionStart';
import type { ThreadStore } from '../../threads/threadStore';
import { toHostErrors } from './toHostErrors';

type StoredHost = Pick<CodexHost, 'listStored' | 'findStored' | 'archiveStored'>;

/** @param open opens the store when it is first needed */
export const storedConversations = (open: () => ThreadStore): StoredHost => {
  const store = lazy(open);
  return {
    listStored: (page) => defer(() => store().list({ ...page, archived: false })).pipe(toHostErrors()),
    findStored: ({ id, path = '' }) =>
      defer(() => store().read(id ?? idIn(path))).pipe(
        toHostErrors(),
        map(({ summary, text }) => ({
          id: summary.id,
          path: summary.path,
          model: String(lastTurnContext(text)?.model ?? ''),
        })),
      ),
    archiveStored: (id) => defer(() => store().archive(wholeId(id))).pipe(toHostErrors()),
  };
};

/** A change needs the whole id: its beginning is enough only for people, and for requests that change nothing. */
const wholeId = (id: string): string => {
  const whole = toUuid(id);
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(whole)) return whole;
  throw new HostError('name the conversation by its whole id');
};

/** A rollout ends with the id of its thread. Source: Codex 0.28.0, `rollout-<time>-<id>.jsonl`. */
const idIn = (path: string): string => {
  const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path)?.[1];
  if (id === undefined) throw new HostError('name it by conversationId, or by the path of its rollout');
  return id;
};
