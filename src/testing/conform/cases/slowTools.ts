/** Cases of a call that takes its time: what else is answered meanwhile, what a cancellation does, what progress is reported. */
import { LEGACY_VERSIONS, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { idOf, type Message, notification } from '../../messages';
import type { ConformCase, Given } from '../conformCase';
import { REPLIES, response, result } from '../expecting';

const SLOW = { revisions: SUPPORTED_VERSIONS, needs: ['slowTool'] } satisfies Partial<ConformCase>;

/** A call of the tool. @param progressToken that the client wants progress for */
export const call = ({ request, tool }: Given, progressToken?: string | number): Message =>
  request('tools/call', {
    name: tool.name,
    arguments: tool.arguments,
    ...(progressToken !== undefined && { _meta: { progressToken } }),
  });

const cancel = (letter: string): Message =>
  notification('notifications/cancelled', { requestId: idOf(letter), reason: 'no longer needed' });

const NO_ANSWER = 'Not send a response for the cancelled request';
const CANCELLATION = 'basic/utilities/cancellation#behavior-requirements';

/** Kinds of tokens. */
const progress: readonly ConformCase[] = Object.entries({ text: 'token', number: 7, zero: 0 }).map(([kind, token]) => ({
  id: `slow-call-progress-${kind}`,
  level: 'MUST',
  ...SLOW,
  section: 'basic/utilities/progress#progress-flow',
  sentence: 'Progress tokens MUST be a string or integer value',
  official: 'tools-call-with-progress',
  client: 'a-p-',
  server: '-A-P',
  values: (given) => ({ a: call(given, token), A: result('a') }),
}));

/** All of them. */
export const SLOW_TOOLS: readonly ConformCase[] = [
  {
    id: 'slow-call-ping',
    level: 'MUST',
    ...SLOW,
    revisions: LEGACY_VERSIONS,
    section: 'basic/utilities/ping#behavior-requirements',
    sentence: 'The receiver MUST respond promptly with an empty response:',
    client: 'ap--',
    server: '--PA',
    values: (given) => ({ a: call(given), A: response('a') }),
  },
  {
    id: 'slow-call-other-requests',
    level: 'ROBUSTNESS',
    ...SLOW,
    section: REPLIES.section,
    sentence: 'Other requests are answered while a call takes its time.',
    client: '(al)--',
    server: '----LA',
    values: (given) => ({
      a: call(given),
      A: response('a'),
      l: given.request('tools/list', {}),
      L: result('l'),
    }),
  },
  {
    id: 'slow-call-two-at-once',
    ...REPLIES,
    ...SLOW,
    client: '(ab)-',
    server: '----(AB)',
    values: (given) => ({ a: call(given), A: response('a'), b: call(given), B: response('b') }),
  },
  {
    id: 'slow-call-cancelled',
    level: 'SHOULD',
    ...SLOW,
    section: CANCELLATION,
    sentence: NO_ANSWER,
    client: 'ac-b-',
    server: '----B',
    values: (given) => ({ a: call(given), c: cancel('a'), b: call(given), B: response('b') }),
  },
  {
    id: 'slow-call-cancelled-twice',
    level: 'SHOULD',
    ...SLOW,
    section: 'basic/utilities/cancellation#error-handling',
    sentence: 'Invalid cancellation notifications SHOULD be ignored:',
    client: 'accp-',
    server: '----P',
    values: (given) => ({ a: call(given), c: cancel('a') }),
  },
  {
    id: 'slow-call-cancel-of-other',
    level: 'MUST',
    ...SLOW,
    section: CANCELLATION,
    sentence: 'Cancellation notifications MUST only reference requests that:',
    client: '(ab)c-',
    server: '------A',
    values: (given) => ({ a: call(given), A: result('a'), b: call(given), c: cancel('b') }),
  },
  ...progress,
];
