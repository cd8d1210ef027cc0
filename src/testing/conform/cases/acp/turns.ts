/** Cases of turns that are cancelled, and of sessions that have a past. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { notification, request } from '../../../messages';
import type { ConformCase, Given, Observed } from '../../conformCase';
import { response, result, short } from '../../expecting';
import { messagesOf, responsesOf } from '../../observed';
import { open, opened, SESSION } from '../../speaking';
import { ask, ended, stopped, updatesIn } from './prompts';
import { AGENT } from './row';

const REQUEST_CANCELLED = -32_800;
const cancelled = (letter: string) => stopped(letter, (reason) => reason === 'cancelled');
const cancel = notification('session/cancel', { sessionId: SESSION });

const CANCELLATION = 'prompt-turn#cancellation';
const MUST_CANCEL = 'the Agent MUST respond to the original session/prompt request with the cancelled stop reason.';

const cancels: readonly ConformCase[] = (
  [
    ['at-once', 'ac-', '--A'],
    ['twice', 'acc-', '---A'],
  ] as const
).map(([kind, client, server]) => ({
  id: `acp-cancel-${kind}`,
  level: 'MUST',
  ...AGENT,
  section: CANCELLATION,
  sentence: MUST_CANCEL,
  needs: ['prompt'],
  client,
  server,
  values: (given) => ({ a: ask(given), A: cancelled('a'), c: cancel }),
}));

/** A session that is opened a second time, and what is wrong with the updates before the answer. */
const again = (method: string, judge: (texts: readonly unknown[], given: Given) => string | undefined) => ({
  client: 'a-b-',
  server: '-A-B',
  values: (given: Given) => ({
    a: ask(given),
    A: ended('a'),
    b: request(method, { sessionId: SESSION, cwd: given.folder, mcpServers: [] }),
    B: result('b'),
  }),
  judge: (observed: Observed, given: Given) => {
    const [first = 0, second = 0] = messagesOf(observed, 'out')
      .flatMap((one, at) => ('method' in one ? [] : [at]))
      .slice(-2);
    const past = updatesIn(observed).filter(({ at }) => at > first && at < second);
    return judge(
      past.flatMap(({ update }) => (/message_chunk$/.test(String(update.sessionUpdate)) ? [update] : [])),
      given,
    );
  },
});

/** The cases of this file. */
export const ACP_TURNS: readonly ConformCase[] = [
  ...cancels,
  {
    id: 'acp-cancel-then-prompt',
    level: 'MUST',
    ...AGENT,
    section: CANCELLATION,
    sentence: 'Once a prompt turn completes, the Client may send another session/prompt to continue the conversation',
    needs: ['prompt'],
    client: 'ac-b-',
    server: '--A-B',
    values: (given) => ({ a: ask(given), A: cancelled('a'), c: cancel, b: ask(given), B: ended('b') }),
  },
  {
    id: 'acp-cancel-idle',
    level: 'MUST',
    ...AGENT,
    section: CANCELLATION,
    sentence: 'Clients MAY cancel an ongoing prompt turn at any time by sending a session/cancel notification:',
    needs: ['prompt'],
    client: 'cp-a-',
    server: '--P-A',
    values: (given) => ({ c: cancel, a: ask(given), A: ended('a') }),
  },
  {
    id: 'acp-cancel-other-session',
    level: 'MUST',
    ...AGENT,
    section: 'session-setup',
    sentence: 'Each session maintains its own context, conversation history, and state',
    needs: ['prompt'],
    client: 't-ac-',
    server: '-T--A',
    values: (given) => ({
      t: open(given),
      T: opened('t', '$other'),
      a: ask(given),
      A: ended('a'),
      c: notification('session/cancel', { sessionId: '<string $other>' }),
    }),
  },
  {
    id: 'acp-cancel-request',
    level: 'MUST',
    ...AGENT,
    section: 'cancellation#%24%2Fcancel-request-notification',
    sentence: 'MUST send one of these responses for the original request:',
    needs: ['prompt'],
    client: 'ac-',
    server: '--A',
    values: (given) => ({
      a: ask(given),
      A: response('a', ({ error }) => {
        const { code } = toObject(error);
        return error === undefined || code === REQUEST_CANCELLED ? undefined : `its code is ${short(code)}`;
      }),
      c: notification('$/cancel_request', { requestId: '<id of a>' }),
    }),
  },
  {
    id: 'acp-session-close-while-prompt',
    level: 'MUST',
    ...AGENT,
    section: 'session-setup#closing-a-session',
    sentence: 'The Agent MUST cancel any ongoing work for that session as if session/cancel had been called',
    needs: ['prompt', 'close'],
    client: 'ab-',
    server: '--(AB)',
    values: (given) => ({
      a: ask(given),
      A: cancelled('a'),
      b: request('session/close', { sessionId: SESSION }),
      B: result('b'),
    }),
  },
  {
    id: 'acp-session-load-replays',
    level: 'MUST',
    ...AGENT,
    section: 'session-setup#loading-a-session',
    sentence:
      'The Agent MUST replay the entire conversation to the Client in the form of session/update notifications (like session/prompt).',
    needs: ['prompt', 'loadSession'],
    ...again('session/load', (past, { prompt }) => {
      const texts = past.map((update) => toObject(toObject(update).content).text);
      return texts.some((text) => String(text).includes(prompt)) ? undefined : `it replays ${short(texts)}`;
    }),
  },
  {
    id: 'acp-session-resume-is-silent',
    level: 'MUST',
    ...AGENT,
    section: 'session-setup#resuming-a-session',
    sentence:
      'Unlike session/load, the Agent MUST NOT replay the conversation history via session/update notifications before responding.',
    needs: ['prompt', 'resume'],
    ...again('session/resume', (past) => (past.length === 0 ? undefined : `it replays ${short(past)}`)),
  },
  {
    id: 'acp-session-list-has',
    level: 'SHOULD',
    ...AGENT,
    section: 'session-list',
    sentence: 'The session/list method allows Clients to discover sessions known to an Agent.',
    needs: ['prompt', 'list'],
    client: 'a-l-',
    server: '-A-L',
    values: (given) => ({
      a: ask(given),
      A: ended('a'),
      l: request('session/list', { cwd: given.folder }),
      L: result('l'),
    }),
    judge: (observed) => {
      const all = responsesOf(observed).map(({ result: outcome }) => toObject(outcome));
      const id = all.find(({ sessionId }) => typeof sessionId === 'string')?.sessionId;
      const { sessions } = all.find((one) => Array.isArray(one.sessions)) ?? {};
      const isListed = Array.isArray(sessions) && sessions.some((one) => toObject(one).sessionId === id);
      return isListed ? undefined : `the session ${short(id)} is not listed`;
    },
  },
  {
    id: 'acp-prompt-after-close-of-other',
    level: 'MUST',
    ...AGENT,
    section: 'session-setup#closing-a-session',
    sentence: 'allow Clients to tell the Agent to cancel any ongoing work for a session',
    needs: ['prompt', 'close'],
    client: 't-b-a-',
    server: '-T-B-A',
    values: (given) => ({
      t: open(given),
      T: opened('t', '$other'),
      b: request('session/close', { sessionId: '<string $other>' }),
      B: result('b'),
      a: ask(given),
      A: ended('a'),
    }),
  },
];
