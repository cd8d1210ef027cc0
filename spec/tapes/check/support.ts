/** A session with a failed call, a request of its server within it, and a call without a response. */
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

export const index = toSessionIndex({
  ...sessionFrom(
    [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 1 } } }],
    [5, 'out', { id: 'q', method: 'elicitation/create', params: { _meta: { progressToken: 1 } } }],
    [10, 'in', { id: 'q', result: {} }],
    [20.5, 'out', { id: 1, error: { code: -1, message: 'no' } }],
    [30, 'in', { id: 2, method: 'ping' }],
  ),
  meta: { started: '2026-11-22T10:00:00.000Z' },
});

/** When it started, in ms since 1970. */
export const STARTED = Date.parse('2026-11-22T10:00:00.000Z');

export const program = { name: 'codex-rx', version: '1' };
