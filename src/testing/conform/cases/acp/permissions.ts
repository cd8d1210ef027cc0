/** Cases of an agent that asks for a permission: they run if a `--prompt` makes it ask. What an agent may remember, `…_always`, is never selected. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { answer, notification, refusal } from '../../../messages';
import { clientSide, kindsOf, optionOf, WITH_ALL } from '../../clientSide';
import type { ConformCase, Given, Observed } from '../../conformCase';
import { asked, REPLIES, response, short } from '../../expecting';
import { messagesOf, toObserved } from '../../observed';
import { SESSION } from '../../speaking';
import { ask, ended, stopped } from './prompts';
import { AGENT } from './row';
import { listOf, toolCallsOf } from './sessionParts';

const QUESTION = 'session/request_permission';
const REQUESTING = 'tool-calls#requesting-permission';
const DECISION = "The Client responds with the user's decision:";

/** The question, whose options of a kind have a name. */
const question = () =>
  asked(
    QUESTION,
    ({ params }) => {
      const { toolCall, options } = toObject(params);
      if (typeof toObject(toolCall).toolCallId !== 'string') return 'its toolCall has no toolCallId';
      return listOf(options).length > 0 ? undefined : 'it has no options';
    },
    {
      $allow: ({ params }) => optionOf(params, 'allow_once'),
      $reject: ({ params }) => optionOf(params, 'reject_once'),
    },
  );

const selected = (name: string) => answer('Q', { outcome: { outcome: 'selected', optionId: `<string ${name}>` } });
const dismissed = answer('Q', { outcome: { outcome: 'cancelled' } });

/** The prompt `a`, the question `Q`, and what the client does then; it dismisses further questions. */
const whenAsked = (
  client: string,
  server: string,
  values: (given: Given) => Record<string, ReturnType<typeof question>>,
) => ({
  client: `a-${client}`,
  server: `-Q${server}`,
  clientSide: clientSide({ selects: [] }),
  capabilities: WITH_ALL,
  values: (given: Given) => ({ a: ask(given), Q: question(), A: stopped('a'), ...values(given) }),
});

/** What the agent says of the tool call of its first question, in order. */
const statusesOf = (observed: Observed): unknown[] => {
  const first = messagesOf(observed, 'out').find(({ method }) => method === QUESTION);
  const { toolCallId } = toObject(toObject(first?.params).toolCall);
  return toolCallsOf(observed).flatMap((one) => (one.toolCallId === toolCallId && one.status ? [one.status] : []));
};

/** What was not allowed has not been done. */
const notDone = (observed: Observed): string | undefined =>
  statusesOf(observed).includes('completed') ? 'the tool call that was not allowed is completed' : undefined;

const REJECTED = {
  level: 'SHOULD',
  ...AGENT,
  section: 'tool-calls#status',
  sentence: 'The tool call completed successfully',
  judge: notDone,
} as const;

const answers: readonly ConformCase[] = [
  {
    id: 'acp-permission-allowed',
    level: 'MUST',
    ...AGENT,
    section: REQUESTING,
    sentence: DECISION,
    needs: ['allowOnce'],
    ...whenAsked('y-', '-A', () => ({ y: selected('$allow'), A: ended('a') })),
  },
  {
    id: 'acp-permission-rejected',
    level: 'MUST',
    ...AGENT,
    section: REQUESTING,
    sentence: DECISION,
    needs: ['rejectOnce'],
    ...whenAsked('y-', '-A', () => ({ y: selected('$reject') })),
  },
  {
    id: 'acp-permission-dismissed',
    level: 'MUST',
    ...AGENT,
    section: REQUESTING,
    sentence: DECISION,
    needs: ['permission'],
    ...whenAsked('y-', '-A', () => ({ y: dismissed })),
  },
  {
    ...REJECTED,
    id: 'acp-permission-rejected-status',
    needs: ['rejectOnce'],
    ...whenAsked('y-', '-A', () => ({ y: selected('$reject') })),
  },
  {
    ...REJECTED,
    id: 'acp-permission-dismissed-status',
    needs: ['permission'],
    ...whenAsked('y-', '-A', () => ({ y: dismissed })),
  },
];

/** What is no answer to a question: nothing is done, and the prompt has its response. */
const odd: readonly ConformCase[] = Object.entries({
  'unknown-option': answer('Q', { outcome: { outcome: 'selected', optionId: 'no-such-option-4711' } }),
  'unknown-outcome': answer('Q', { outcome: { outcome: 'perhaps' } }),
  'no-outcome': answer('Q', {}),
  null: answer('Q', null),
  error: refusal('Q', -32_603, 'Nobody is there'),
}).map(([kind, y]) => ({
  ...REPLIES,
  id: `acp-permission-odd-answer-${kind}`,
  level: 'ROBUSTNESS',
  ...AGENT,
  sentence: 'What is no answer to a question allows nothing, and the prompt has a response.',
  needs: ['permission'],
  ...whenAsked('y-', '-A', () => ({ y, A: response('a') })),
  judge: notDone,
}));

/** The cases of this file. */
export const ACP_PERMISSIONS: readonly ConformCase[] = [
  ...answers,
  ...odd,
  {
    id: 'acp-permission-waits',
    level: 'MUST',
    ...AGENT,
    section: REQUESTING,
    sentence: 'The Agent MAY request permission from the user before executing a tool call',
    needs: ['permission'],
    ...whenAsked('p-y-', '-P-A', () => ({ y: dismissed })),
    judge: (observed) => {
      const answered = observed.lines.findIndex(({ dir, line }) => dir === 'in' && line.includes('"outcome"'));
      const before = toObserved({ ...observed, lines: observed.lines.slice(0, answered) });
      return statusesOf(before).includes('completed') ? 'the tool call is completed before the answer' : undefined;
    },
  },
  {
    id: 'acp-permission-cancel',
    level: 'MUST',
    ...AGENT,
    section: 'prompt-turn#cancellation',
    sentence: 'the Agent MUST respond to the original session/prompt request with the cancelled stop reason.',
    needs: ['permission'],
    ...whenAsked('(cy)-', '----A', () => ({
      c: notification('session/cancel', { sessionId: SESSION }),
      y: dismissed,
      A: stopped('a', (reason) => reason === 'cancelled'),
    })),
    judge: notDone,
  },
  {
    id: 'acp-permission-options',
    level: 'ROBUSTNESS',
    ...AGENT,
    section: 'tool-calls#permission-options',
    sentence: 'A question has an option that allows, and an option that rejects.',
    needs: ['permission'],
    ...whenAsked('y-', '-A', () => ({ y: dismissed })),
    judge: (observed) => {
      const first = messagesOf(observed, 'out').find(({ method }) => method === QUESTION);
      const kinds = kindsOf(first?.params);
      const missing = ['allow', 'reject'].filter((word) => !kinds.some((kind) => kind.startsWith(word)));
      return missing.length === 0 ? undefined : `no option of ${short(kinds)} is there to ${missing.join(' or ')}`;
    },
  },
];
