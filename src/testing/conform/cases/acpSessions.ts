/** Cases of sessions of an agent of ACP that need no model: they are opened, listed, loaded, closed, set. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../protocol/jsonrpc/messages';
import { request } from '../../messages';
import { ACP_1, type ConformCase, type Given } from '../conformCase';
import { BAD_PARAMS, emptyFault, failure, REPLIES, response, result, short } from '../expecting';
import type { Need } from '../needs';
import { responsesOf } from '../observed';
import { open, opened, SESSION } from '../speaking';

const AGENT = { revisions: [ACP_1] } as const;
const NO_SUCH = 'no-such-session-4711';
const NOWHERE = '/no/such/folder/4711';

type Row = {
  id: string;
  level?: ConformCase['level'];
  section: string;
  sentence: string;
  needs?: readonly Need[];
  method: string;
  /** Default: those of the session. */
  params?: (given: Given) => object;
  due: ReturnType<typeof result>;
};

/** A request in a session, its answer, and the probe behind it. */
const toCase = ({ id, level = 'MUST', section, sentence, needs = [], method, params, due }: Row): ConformCase => ({
  id: `acp-${id}`,
  level,
  ...AGENT,
  section,
  sentence,
  needs,
  client: 'ap-',
  server: '--(AP)',
  values: (given) => ({ a: request(method, params?.(given) ?? { sessionId: SESSION }), A: due }),
});

const stored = ({ folder }: Given) => ({ sessionId: NO_SUCH, cwd: folder, mcpServers: [] });

/** What the params of each method may be, and what makes them invalid; an undefined member takes one away. */
type Bad = { method: string; needs?: readonly Need[]; good: (given: Given) => object; flaws: Record<string, object> };

const block = (...prompt: unknown[]) => ({ prompt });

const BAD: readonly Bad[] = [
  {
    method: 'session/new',
    good: ({ folder }) => ({ cwd: folder, mcpServers: [] }),
    flaws: {
      'no-cwd': { cwd: undefined },
      'cwd-number': { cwd: 7 },
      'cwd-null': { cwd: null },
      'cwd-list': { cwd: ['/'] },
    },
  },
  {
    method: 'session/prompt',
    good: () => ({ sessionId: SESSION, prompt: [{ type: 'text', text: 'x' }] }),
    flaws: {
      'no-session': { sessionId: undefined },
      'session-number': { sessionId: 7 },
      'session-null': { sessionId: null },
      'no-prompt': { prompt: undefined },
      'prompt-text': { prompt: 'text' },
      'prompt-null': { prompt: null },
      'prompt-object': { prompt: { type: 'text', text: 'x' } },
      'block-text': block('text'),
      'block-null': block(null),
      'block-no-type': block({ text: 'x' }),
      'block-unknown-type': block({ type: 'no_such_type', text: 'x' }),
      'block-no-text': block({ type: 'text' }),
      'block-text-number': block({ type: 'text', text: 7 }),
      'block-no-uri': block({ type: 'resource_link', name: 'x' }),
      'block-no-name': block({ type: 'resource_link', uri: 'file:///x' }),
      'block-no-data': block({ type: 'image', mimeType: 'image/png' }),
      'block-no-resource': block({ type: 'resource' }),
    },
  },
  {
    method: 'session/load',
    needs: ['loadSession'],
    good: stored,
    flaws: { 'no-session': { sessionId: undefined }, 'session-number': { sessionId: 7 }, 'no-cwd': { cwd: undefined } },
  },
  {
    method: 'session/resume',
    needs: ['resume'],
    good: stored,
    flaws: { 'no-session': { sessionId: undefined }, 'session-number': { sessionId: 7 }, 'no-cwd': { cwd: undefined } },
  },
  {
    method: 'session/list',
    needs: ['list'],
    good: () => ({}),
    flaws: { 'cwd-number': { cwd: 7 }, 'cursor-number': { cursor: 7 } },
  },
  {
    method: 'session/close',
    needs: ['close'],
    good: () => ({ sessionId: SESSION }),
    flaws: { 'no-session': { sessionId: undefined }, 'session-number': { sessionId: 7 } },
  },
  {
    method: 'session/delete',
    needs: ['delete'],
    good: () => ({ sessionId: SESSION }),
    flaws: { 'no-session': { sessionId: undefined }, 'session-number': { sessionId: 7 } },
  },
  {
    method: 'session/set_mode',
    needs: ['modes'],
    good: () => ({ sessionId: SESSION, modeId: 'x' }),
    flaws: { 'no-session': { sessionId: undefined }, 'no-mode': { modeId: undefined }, 'mode-number': { modeId: 7 } },
  },
  {
    method: 'session/set_config_option',
    needs: ['configOptions'],
    good: () => ({ sessionId: SESSION, configId: 'x', value: 'x' }),
    flaws: {
      'no-session': { sessionId: undefined },
      'no-option': { configId: undefined },
      'no-value': { value: undefined },
      'value-object': { value: {} },
    },
  },
];

const nameOf = (method: string): string => method.replaceAll(/[/_]/g, '-');

const badParams: readonly ConformCase[] = BAD.flatMap(({ method, needs, good, flaws }) =>
  Object.entries(flaws).map(([kind, flaw]) =>
    toCase({
      ...BAD_PARAMS,
      id: `${nameOf(method)}-bad-${kind}`,
      needs,
      method,
      params: (given) => ({ ...good(given), ...flaw }),
      due: failure('a', [INVALID_PARAMS]),
    }),
  ),
);

/** Methods of sessions that are not there. Those that only some agents have need their capability. */
const unknownSessions: readonly ConformCase[] = BAD.filter(({ method }) => !/new|list|delete/.test(method)).map(
  ({ method, needs, good }) =>
    toCase({
      id: `${nameOf(method)}-unknown-session`,
      level: 'SHOULD',
      section: 'overview#error-handling',
      sentence: 'Errors include an error object with code and message',
      needs,
      method,
      params: (given) => ({ ...good(given), sessionId: NO_SUCH }),
      due: method === 'session/close' ? response('a') : failure('a'),
    }),
);

const relative: readonly ConformCase[] = Object.entries({ relative: 'folder', dot: '.', empty: '' }).map(
  ([kind, cwd]) =>
    toCase({
      id: `session-new-cwd-${kind}`,
      level: 'SHOULD',
      section: 'session-setup#working-directory',
      sentence: 'MUST be an absolute path',
      method: 'session/new',
      params: () => ({ cwd, mcpServers: [] }),
      due: failure('a'),
    }),
);

const SETUP = 'session-setup#creating-a-session';
const META = { _meta: { 'example.com/x': { a: 1 } } };

/** Sessions that are opened with more than an agent has to know. */
const openings: readonly ConformCase[] = [
  toCase({
    id: 'session-new-meta',
    section: 'extensibility#the-_meta-field',
    sentence: 'All types in the protocol include a _meta field with type { [key: string]: unknown }',
    method: 'session/new',
    params: ({ folder }) => ({ cwd: folder, mcpServers: [], ...META }),
    due: opened('a'),
  }),
  toCase({
    id: 'session-new-more-members',
    level: 'ROBUSTNESS',
    section: 'extensibility#the-_meta-field',
    sentence: 'Members of a later version are left alone.',
    method: 'session/new',
    params: ({ folder }) => ({ cwd: folder, mcpServers: [], later: [1] }),
    due: opened('a'),
  }),
  toCase({
    id: 'session-new-additional-folder',
    section: 'session-setup#additional-workspace-roots',
    sentence:
      'Agents that advertise sessionCapabilities.additionalDirectories allow Clients to include additionalDirectories on supported session lifecycle requests',
    needs: ['additionalDirectories'],
    method: 'session/new',
    params: ({ folder }) => ({ cwd: folder, mcpServers: [], additionalDirectories: ['/'] }),
    due: opened('a'),
  }),
  toCase({
    id: 'session-new-additional-folder-relative',
    level: 'SHOULD',
    section: 'overview#argument-requirements',
    sentence: 'All file paths in the protocol MUST be absolute.',
    needs: ['additionalDirectories'],
    method: 'session/new',
    params: ({ folder }) => ({ cwd: folder, mcpServers: [], additionalDirectories: ['folder'] }),
    due: failure('a'),
  }),
  ...Object.entries({
    text: 'none',
    object: {},
    'number-in-list': [7],
    'no-command': [{ name: 'x', args: [], env: [] }],
    'unknown-type': [{ type: 'no-such', name: 'x', url: 'http://127.0.0.1:9/' }],
    'not-there': [{ name: 'x', command: '/no/such/program/4711', args: [], env: [] }],
  }).map(([kind, mcpServers]) =>
    toCase({
      ...REPLIES,
      id: `session-new-mcp-servers-${kind}`,
      level: 'ROBUSTNESS',
      sentence: 'Servers that cannot be used are no reason for silence.',
      method: 'session/new',
      params: ({ folder }) => ({ cwd: folder, mcpServers }),
      due: response('a'),
    }),
  ),
];

const sessionsIn = (message: unknown): unknown[] => {
  const { sessions } = toObject(toObject(message).result);
  return Array.isArray(sessions) ? sessions : [];
};

const listed = (faultOf: (sessions: readonly unknown[]) => string | undefined) =>
  result('a', (message) =>
    Array.isArray(toObject(message.result).sessions) ? faultOf(sessionsIn(message)) : 'its sessions are no list',
  );

const lists: readonly ConformCase[] = [
  ...Object.entries({ empty: {}, nulls: { cwd: null, cursor: null } }).map(([kind, params]) =>
    toCase({
      id: `session-list-${kind}`,
      level: kind === 'empty' ? 'MUST' : 'ROBUSTNESS',
      section: 'session-list#listing-sessions',
      sentence: 'The Agent MUST respond with a list of sessions and optional pagination metadata:',
      needs: ['list'],
      method: 'session/list',
      params: () => params,
      due: listed(() => undefined),
    }),
  ),
  toCase({
    id: 'session-list-nowhere',
    section: 'session-list#listing-sessions',
    sentence: 'When no sessions match the criteria, the Agent MUST return an empty sessions array.',
    needs: ['list'],
    method: 'session/list',
    params: () => ({ cwd: NOWHERE }),
    due: listed((sessions) => (sessions.length === 0 ? undefined : `it lists ${short(sessions)}`)),
  }),
  toCase({
    id: 'session-list-folder',
    section: 'session-list#listing-sessions',
    sentence: 'Only sessions with a matching cwd are returned.',
    needs: ['list'],
    method: 'session/list',
    params: ({ folder }) => ({ cwd: folder }),
    due: listed((sessions) => {
      const folders = new Set(sessions.map((one) => toObject(one).cwd));
      return folders.size < 2 ? undefined : `it lists sessions of ${short([...folders])}`;
    }),
  }),
  toCase({
    id: 'session-list-bad-cursor',
    level: 'SHOULD',
    section: 'session-list#pagination',
    sentence: 'Agents SHOULD return an error if the cursor is invalid',
    needs: ['list'],
    method: 'session/list',
    params: () => ({ cursor: 'no-such-cursor' }),
    due: failure('a'),
  }),
];

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

/** All of them. */
export const ACP_SESSIONS: readonly ConformCase[] = [
  {
    id: 'acp-session-new',
    level: 'MUST',
    ...AGENT,
    section: SETUP,
    sentence: 'The Agent MUST respond with a unique Session ID that identifies this conversation:',
    client: 'a-b-',
    server: '-A-B',
    values: (given) => ({ a: open(given), A: opened('a', '$a'), b: open(given), B: opened('b', '$b') }),
    judge: (observed) => {
      const ids = responsesOf(observed).flatMap(({ result: outcome }) => toObject(outcome).sessionId ?? []);
      return new Set(ids).size === ids.length ? undefined : `ids of sessions repeat: ${short(ids)}`;
    },
  },
  {
    id: 'acp-session-new-many',
    ...REPLIES,
    ...AGENT,
    client: '(abcde)p-',
    server: '--------(ABCDEP)',
    values: (given) =>
      Object.fromEntries(
        [...'abcde'].flatMap((letter) => [
          [letter, open(given)],
          [letter.toUpperCase(), opened(letter.toLowerCase(), `$${letter}`)],
        ]),
      ),
  },
  ...relative,
  ...openings,
  toCase({
    id: 'session-load-undeclared',
    level: 'SHOULD',
    section: 'session-setup#checking-support',
    sentence: 'If loadSession is false or not present, the Agent does not support loading sessions',
    needs: ['noLoadSession'],
    method: 'session/load',
    params: stored,
    due: failure('a', [METHOD_NOT_FOUND]),
  }),
  toCase({
    ...REPLIES,
    id: 'session-load-empty',
    level: 'ROBUSTNESS',
    sentence: 'A session without a prompt is loaded, or is not there; both is a response.',
    needs: ['loadSession'],
    method: 'session/load',
    params: ({ folder }) => ({ sessionId: SESSION, cwd: folder, mcpServers: [] }),
    due: response('a'),
  }),
  toCase({
    id: 'session-load-cwd-relative',
    level: 'SHOULD',
    section: 'session-setup#working-directory',
    sentence: 'MUST be an absolute path',
    needs: ['loadSession'],
    method: 'session/load',
    params: () => ({ sessionId: SESSION, cwd: 'folder', mcpServers: [] }),
    due: failure('a'),
  }),
  ...lists,
  ...ends,
  ...settings,
  ...unknownSessions,
  ...badParams,
];
