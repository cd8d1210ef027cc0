/** Owns making up sessions: ids of every kind, batches, errors, cancels, deltas, seams, what is not a message, hostile texts. */
import fc from 'fast-check';
import type { Chart } from '../../../src/tapes/diagram/chart';
import { toChart } from '../../../src/tapes/diagram/toChart';
import type { Session } from '../../../src/tapes/format/tape';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';

const id = fc.constantFrom<string | number>(0, '', 1, '1', 'two', 3);
const thread = fc.constantFrom('thread-a', 'thread-b');
const method = fc.constantFrom('tools/call', 'ping', 'initialize', 'x/y', '');
export const hostile = fc.constantFrom(
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<!--<script>',
  ']]>&amp;"\'',
  '\u2028\u2029\u0000\u000b\ufffe\ud800',
  '👩🏽‍🚀 שלום \u202e\u0301',
);

const params = fc.oneof(
  fc.record({ threadId: thread, name: hostile }),
  fc.record({ requestId: id, reason: hostile }),
  fc.record({ _meta: fc.record({ requestId: id, progressToken: id }) }),
  fc.record({
    msg: fc.record({ type: fc.constantFrom('agent_message_delta', 'exec_command_begin', 'error'), delta: hostile }),
  }),
  fc.anything(),
);

const message = fc.oneof(
  fc.record({ id, method, params }),
  fc.record({
    method: fc.oneof(method, fc.constantFrom('notifications/cancelled', 'notifications/progress', 'codex/event')),
    params,
  }),
  fc.record({ id, result: fc.oneof(fc.record({ isError: fc.boolean() }), fc.anything()) }),
  fc.record({ id, error: fc.record({ code: fc.integer(), message: hostile }) }),
);

const line = fc.oneof(
  { weight: 8, arbitrary: message.map((one) => JSON.stringify(one)) },
  fc.array(message, { maxLength: 3 }).map((batch) => JSON.stringify(batch)),
  fc.json(),
  fc.string(),
  hostile,
  fc.constant('   '),
);

const entry = fc.record(
  {
    t: fc.double({ min: 0, max: 1e6, noNaN: true }),
    dir: fc.constantFrom('in', 'out', 'in', 'out', 'err', 'note', 'mark', 'exit'),
    line,
    seam: fc.constantFrom('mcp', 'model', 'executor', 'other'),
    call: fc.nat(2),
  },
  { requiredKeys: ['t', 'dir', 'line'] },
);

/** Any session there may be. */
export const anySession: fc.Arbitrary<Session> = fc.array(entry, { maxLength: 60 }).map((entries) => ({
  meta: {},
  entries: entries.map((one, i) => ({ lineNumber: i + 2, entry: { ...one } })),
}));

/** The picture of a session. */
export const draw = (session: Session): Chart => toChart(toSessionIndex(session));
