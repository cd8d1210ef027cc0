/** Cases of sessions of an agent of ACP that are closed, deleted and set. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { request } from '../../../messages';
import type { ConformCase, Given } from '../../conformCase';
import { emptyFault, failure, result, short } from '../../expecting';
import { responsesOf } from '../../observed';
import { SESSION } from '../../speaking';
import { AGENT, NO_SUCH, toCase } from './row';
import { sessionsIn } from './sessions';

const DELETED = 'Deleting an already-deleted session, or a session that never existed, SHOULD succeed silently.';

const ends: readonly ConformCase[] = [
  toCase({
    id: 'session-close',
    section: 'session-setup#closing-a-session',
    sentence: 'On success, the Agent responds with an empty result object:',
    needs: ['close'],
    method: 'session/close',
    due: result('a', emptyFault),
  }),
  {
    id: 'acp-session-close-then-prompt',
    level: 'SHOULD',
    ...AGENT,
    section: 'session-setup#closing-a-session',
    sentence: 'then free the resources associated with the session.',
    needs: ['close'],
    client: 'a-q-',
    server: '-A-Q',
    values: () => ({
      a: request('session/close', { sessionId: SESSION }),
      A: result('a'),
      q: request('session/prompt', { sessionId: SESSION, prompt: [{ type: 'text', text: 'x' }] }),
      Q: failure('q'),
    }),
  },
  toCase({
    id: 'session-delete',
    section: 'session-delete#deleting-a-session',
    sentence: 'On success, the Agent returns an empty result:',
    needs: ['delete'],
    method: 'session/delete',
    due: result('a', emptyFault),
  }),
  toCase({
    id: 'session-delete-unknown',
    level: 'SHOULD',
    section: 'session-delete#semantics',
    sentence: DELETED,
    needs: ['delete'],
    method: 'session/delete',
    params: () => ({ sessionId: NO_SUCH }),
    due: result('a'),
  }),
  {
    id: 'acp-session-delete-twice',
    level: 'SHOULD',
    ...AGENT,
    section: 'session-delete#semantics',
    sentence: DELETED,
    needs: ['delete'],
    client: 'a-b-',
    server: '-A-B',
    values: () => ({
      a: request('session/delete', { sessionId: SESSION }),
      A: result('a'),
      b: request('session/delete', { sessionId: SESSION }),
      B: result('b'),
    }),
  },
  {
    id: 'acp-session-delete-then-list',
    level: 'MUST',
    ...AGENT,
    section: 'session-delete#semantics',
    sentence: 'Deleted sessions no longer appear in future session/list results.',
    needs: ['delete', 'list'],
    client: 'a-l-',
    server: '-A-L',
    values: () => ({
      a: request('session/delete', { sessionId: SESSION }),
      A: result('a'),
      l: request('session/list', {}),
      L: result('l'),
    }),
    judge: (observed) => {
      const ids = responsesOf(observed).map(({ result: outcome }) => toObject(outcome).sessionId);
      const deleted = ids.find((id) => typeof id === 'string');
      const left = responsesOf(observed)
        .flatMap(sessionsIn)
        .some((one) => toObject(one).sessionId === deleted);
      return left ? `the session ${short(deleted)} is listed still` : undefined;
    },
  },
];

const modesOf = ({ capabilities }: Given) => toObject(toObject(capabilities.session).modes);
const optionsOf = ({ capabilities }: Given): Readonly<Record<string, unknown>>[] => {
  const { configOptions } = toObject(capabilities.session);
  return Array.isArray(configOptions) ? configOptions.map(toObject) : [];
};

const settings: readonly ConformCase[] = [
  toCase({
    id: 'session-set-mode',
    section: 'session-modes#setting-the-current-mode',
    sentence:
      'The current mode can be changed at any point during a session, whether the Agent is idle or generating a response.',
    needs: ['modes'],
    method: 'session/set_mode',
    params: (given) => ({ sessionId: SESSION, modeId: modesOf(given).currentModeId }),
    due: result('a'),
  }),
  toCase({
    id: 'session-set-mode-unknown',
    level: 'SHOULD',
    section: 'session-modes#setting-the-current-mode',
    sentence: 'Must be one of the modes listed in availableModes',
    needs: ['modes'],
    method: 'session/set_mode',
    params: () => ({ sessionId: SESSION, modeId: 'no-such-mode-4711' }),
    due: failure('a'),
  }),
  {
    ...toCase({
      id: 'session-set-config-option',
      section: 'session-config-options#setting-a-config-option',
      sentence: 'The Agent MUST respond with the complete list of all configuration options and their current values:',
      needs: ['configOptions'],
      method: 'session/set_config_option',
      due: result('a'),
    }),
    values: (given) => {
      const all = optionsOf(given);
      const ids = all.map(({ id }) => id);
      return {
        a: request('session/set_config_option', {
          sessionId: SESSION,
          configId: ids[0],
          value: all[0]?.currentValue,
        }),
        A: result('a', ({ result: outcome }) => {
          const { configOptions } = toObject(outcome);
          const now = Array.isArray(configOptions) ? configOptions.map((one) => toObject(one).id) : [];
          const missing = ids.filter((id) => !now.includes(id));
          return missing.length === 0 ? undefined : `its configOptions lack ${short(missing)}`;
        }),
      };
    },
  },
  ...Object.entries({ option: { configId: 'no-such-option-4711' }, value: { value: 'no-such-value-4711' } }).map(
    ([kind, flaw]) =>
      toCase({
        id: `session-set-config-option-unknown-${kind}`,
        level: 'SHOULD',
        section: 'session-config-options#setting-a-config-option',
        sentence: "For select options, this must be one of the values listed in the option's options array.",
        needs: ['configOptions'],
        method: 'session/set_config_option',
        params: (given) => {
          const [first] = optionsOf(given).filter(({ type }) => type === 'select');
          return { sessionId: SESSION, configId: first?.id, value: first?.currentValue, ...flaw };
        },
        due: failure('a'),
      }),
  ),
];

/** The cases of this file. */
export const ACP_SETTINGS: readonly ConformCase[] = [...ends, ...settings];
