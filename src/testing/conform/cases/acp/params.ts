/** Cases of invalid params of an agent of ACP, and of sessions that are not there. */
import { INVALID_PARAMS } from '../../../../protocol/jsonrpc/messages';
import type { ConformCase, Given } from '../../conformCase';
import { BAD_PARAMS, failure, response } from '../../expecting';
import type { Need } from '../../needs';
import { SESSION } from '../../speaking';
import { NO_SUCH, stored, toCase } from './row';

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

/** Methods of sessions that are not there. Methods of some agents need their capability. */
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

/** The cases of this file. */
export const ACP_PARAMS: readonly ConformCase[] = [...unknownSessions, ...badParams];
