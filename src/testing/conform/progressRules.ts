/** The rules of progress, in every session. */
import { toObject } from '../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import type { ConformRule } from './conformCase';
import { short } from './expecting';
import { keyOf, metaOf, notificationsOf, requestsOf, tokensOf } from './messages';
import { firstFault, messagesOf } from './observed';

/** All of them. */
export const PROGRESS: readonly ConformRule[] = [
  {
    id: 'progress-only-for-tokens',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/utilities/progress#behavior-requirements',
    sentence: 'Progress notifications MUST only reference tokens that:',
    faultOf: (observed) => {
      const tokens = tokensOf(observed);
      return firstFault(notificationsOf(observed, 'notifications/progress'), ({ params }) => {
        const token = JSON.stringify(toObject(params).progressToken);
        return tokens.includes(token) ? undefined : `no request has the progress token ${token}`;
      });
    },
  },
  {
    id: 'progress-rises',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/utilities/progress#progress-flow',
    sentence: 'The progress value MUST increase with each notification, even if the total is unknown.',
    faultOf: (observed) => {
      const last = new Map<string, number>();
      return firstFault(notificationsOf(observed, 'notifications/progress'), ({ params }) => {
        const { progressToken, progress } = toObject(params);
        const [token, before] = [JSON.stringify(progressToken), last.get(JSON.stringify(progressToken))];
        last.set(token, Number(progress));
        const isRising = typeof progress === 'number' && (before === undefined || progress > before);
        return isRising ? undefined : `progress of ${token} is ${short(progress)} after ${short(before)}`;
      });
    },
  },
  {
    id: 'progress-ends',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'basic/utilities/progress#implementation-notes',
    sentence: 'Progress notifications MUST stop after completion',
    faultOf: (observed) => {
      const tokens = new Map(
        requestsOf(observed).map(({ id, params }) => [keyOf(id), JSON.stringify(metaOf(params).progressToken)]),
      );
      const over = new Set<string | undefined>();
      return firstFault(messagesOf(observed, 'out'), ({ id, method, params }) => {
        const token = JSON.stringify(toObject(params).progressToken);
        if (method === undefined) over.add(tokens.get(keyOf(id)));
        return method === 'notifications/progress' && over.has(token)
          ? `progress of ${token} comes after the response`
          : undefined;
      });
    },
  },
];
