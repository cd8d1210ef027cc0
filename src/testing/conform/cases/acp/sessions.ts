/** Cases of sessions of an agent of ACP that need no model: they are opened, listed, loaded, closed, set. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND } from '../../../../protocol/jsonrpc/messages';
import type { ConformCase } from '../../conformCase';
import { failure, REPLIES, response, result, short } from '../../expecting';
import { responsesOf } from '../../observed';
import { open, opened, SESSION } from '../../speaking';
import { AGENT, stored, toCase } from './row';

const NOWHERE = '/no/such/folder/4711';

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

/** The sessions of a list. */
export const sessionsIn = (message: unknown): unknown[] => {
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

/** The cases of this file. */
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
];
