import { fromWireMsg, toTurns } from '../../../src/agent/tapeEngine/toTurns';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { THREAD } from '../../support/mcp';
import { sessionFrom } from '../../support/tapes';
import { answer, poll, response, states } from '../../tapes/tasks';

const call = (id: number, name: string, given: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});
const event = (requestId: number | undefined, msg: object) => ({
  method: 'codex/event',
  params: { ...(requestId !== undefined && { _meta: { requestId } }), msg },
});
const result = (id: number, text: string, more: object = {}) => ({
  id,
  result: { content: [{ type: 'text', text }], ...more },
});
const approval = { type: 'exec_approval_request', call_id: 'c', command: ['ls'], cwd: '/' };
const ask = { id: 0, method: 'elicitation/create', params: { _meta: { requestId: 1 } } };
const turns = (...lines: [number, string, object][]) => toTurns(toSessionIndex(sessionFrom(...lines)));

describe('toTurns', () => {
  it('takes the outcome of a call that became a task from the end of the task', () => {
    const { created, done } = states();
    const cut: [number, string, object][] = [
      [0, 'in', call(1, 'codex', { prompt: 'go' })],
      [1, 'out', response(1, created)],
    ];
    const result = { content: [{ type: 'text', text: 'done' }], structuredContent: { threadId: THREAD } };
    const end = { ...done, result };
    expect(turns(...cut, [2, 'in', poll(2)], [3, 'out', response(2, end)])).toMatchObject([
      { threadId: THREAD, steps: [], text: 'done' },
    ]);
    expect(turns(...cut)).toMatchObject([{ text: '', failure: 'the recorded task has no end' }]);
    const cancelled = { ...created, status: 'cancelled' };
    expect(turns(...cut, [2, 'in', poll(2)], [3, 'out', response(2, cancelled)])).toMatchObject([
      { failure: 'the recorded task was cancelled' },
    ]);
  });

  it.each<[string, object, object]>([
    [
      'a command',
      { codex_elicitation: 'exec-approval', codex_call_id: 'c', codex_command: ['ls'], codex_cwd: '/' },
      { type: 'exec_approval_request', call_id: 'c', command: ['ls'], cwd: '/' },
    ],
    [
      'a patch',
      { codex_elicitation: 'patch-approval', codex_call_id: 'p', codex_changes: { '/a': { add: { content: '' } } } },
      { type: 'apply_patch_approval_request', call_id: 'p', changes: { '/a': { add: { content: '' } } } },
    ],
    [
      'a tool server',
      { codex_elicitation: 'mcp-server', codex_server_name: 'docs', message: 'docs: Name?', requestedSchema: {} },
      { type: 'elicitation_request', server_name: 'docs', message: 'Name?', requested_schema: {} },
    ],
  ])('takes the questions of a task from its states, and their answers: %s', (_, params, msg) => {
    const { created, done, asks } = states();
    const asking = { ...asks, inputRequests: { 'key-7f3a9c': { method: 'elicitation/create', params } } };
    expect(
      turns(
        [0, 'in', call(1, 'codex', { prompt: 'go' })],
        [5, 'out', event(1, msg)],
        [6, 'out', response(1, created)],
        [10, 'in', poll(2)],
        [11, 'out', response(2, asking)],
        [12, 'in', poll(3)],
        [13, 'out', response(3, asking)],
        [20, 'in', answer(4)],
        [21, 'out', response(4, {})],
        [30, 'in', poll(5)],
        [31, 'out', response(5, done)],
      ),
    ).toMatchObject([{ steps: [{ msg, question: { decision: 'approved' } }] }]);
  });

  it('finds calls of both tools that overlap, each with its own events at their pace', () => {
    expect(
      turns(
        [10, 'in', call(1, 'codex', { prompt: 'go' })],
        [11, 'in', call(2, 'codex-reply', { prompt: 'more', conversationId: 'T2' })],
        [12, 'out', event(1, { type: 'session_configured', session_id: 'T1' })],
        [13, 'out', event(2, { type: 'agent_message', message: 'b' })],
        [17, 'out', event(1, { type: 'agent_message', message: 'a' })],
        [20, 'out', result(1, 'a')],
        [21, 'out', result(2, 'no model', { isError: true })],
        [22, 'in', call(3, 'other', { prompt: 'x' })],
      ),
    ).toEqual([
      {
        lineNumber: 1,
        tool: 'codex',
        prompt: 'go',
        threadId: 'T1',
        steps: [
          { afterMs: 2, msg: { type: 'session_configured', session_id: 'T1' } },
          { afterMs: 5, msg: { type: 'agent_message', message: 'a' } },
        ],
        text: 'a',
      },
      {
        lineNumber: 2,
        tool: 'codex-reply',
        prompt: 'more',
        threadId: 'T2',
        steps: [{ afterMs: 2, msg: { type: 'agent_message', message: 'b' } }],
        text: 'no model',
        failure: 'no model',
      },
    ]);
  });

  it('lets events that name no request belong to the call before them', () => {
    const [turn] = turns(
      [0, 'in', call(1, 'codex', {})],
      [1, 'out', event(undefined, { type: 'session_configured', session_id: 'T' })],
    );
    expect(turn).toMatchObject({ prompt: '', threadId: 'T', steps: [{ afterMs: 1 }], text: '' });
  });

  it.each([
    ['by a decision', { decision: 'approved' }, { decision: 'approved' }],
    ['by a decision in a form', { action: 'accept', content: { decision: 'denied' } }, { decision: 'denied' }],
    ['by a form', { action: 'accept', content: { a: 1 } }, { decision: 'approved', form: { a: 1 } }],
    ['by a cancel', { action: 'cancel' }, { decision: 'abort' }],
    ['in words of its own', { decision: { amend: 1 } }, { decision: '{"amend":1}' }],
  ])('knows what was decided: %s', (_, answer, question) => {
    const [turn] = turns(
      [0, 'in', call(1, 'codex', {})],
      [2, 'out', event(1, approval)],
      [2, 'out', ask],
      [9, 'in', { id: 0, result: answer }],
      [12, 'out', event(1, { type: 'agent_message', message: 'a' })],
    );
    expect(turn?.steps).toEqual([
      { afterMs: 2, msg: approval, question },
      { afterMs: 3, msg: { type: 'agent_message', message: 'a' } },
    ]);
  });

  it('takes a question from its request if no event shows it, as to a client that gets no events', () => {
    const params = { codex_elicitation: 'exec-approval', codex_call_id: 'c', codex_command: ['ls'], codex_cwd: '/' };
    const asking = { ...ask, params: { ...ask.params, ...params } };
    const question = { decision: 'approved' };
    const lines: [number, string, object][] = [
      [4, 'out', asking],
      [9, 'in', { id: 0, result: { action: 'accept', content: { decision: 'approved' } } }],
      [12, 'out', result(1, 'done')],
    ];
    const begun: [number, string, object] = [0, 'in', call(1, 'codex', {})];
    expect(turns(begun, ...lines)[0]).toMatchObject({ steps: [{ afterMs: 4, msg: approval, question }], text: 'done' });
    expect(turns(begun, [2, 'out', event(1, approval)], ...lines)[0]?.steps).toEqual([
      { afterMs: 2, msg: approval, question },
    ]);
    expect(turns(begun, [4, 'out', ask], ...lines.slice(1))[0]?.steps).toEqual([]);
  });

  it('takes an error for a refusal, and knows of no decision where there is no response', () => {
    const lines: [number, string, object][] = [
      [0, 'in', call(1, 'codex', {})],
      [2, 'out', event(1, approval)],
      [2, 'out', ask],
    ];
    const refused = turns(...lines, [3, 'in', { id: 0, error: { code: 1, message: 'no' } }]);
    expect(refused[0]?.steps).toEqual([{ afterMs: 2, msg: approval, question: { decision: 'denied' } }]);
    expect(turns(...lines)[0]?.steps).toEqual([{ afterMs: 2, msg: approval, question: { decision: undefined } }]);
  });

  it('has the text of an error as the failure of a call', () => {
    const [turn] = turns([0, 'in', call(1, 'codex', {})], [1, 'out', { id: 1, error: { code: 1, message: 'down' } }]);
    expect(turn).toEqual({
      lineNumber: 1,
      tool: 'codex',
      prompt: '',
      threadId: '',
      steps: [],
      text: '',
      failure: 'down',
      isRejected: true,
    });
  });

  it('rejects only a call that could not begin: its result names no thread, and it has no event', () => {
    const reply = call(1, 'codex-reply', { prompt: 'more', threadId: 'T' });
    const failed = { isError: true, structuredContent: { threadId: 'T', content: 'down' } };
    const outcomes = (...lines: [number, string, object][]) => turns([0, 'in', reply], ...lines)[0];
    expect(outcomes([1, 'out', result(1, 'no such thread', { isError: true })])).toMatchObject({ isRejected: true });
    expect(outcomes([1, 'out', result(1, 'down\n\nthreadId: T', failed)])).not.toHaveProperty('isRejected');
    const event1 = event(1, { type: 'error', message: 'down' });
    expect(outcomes([1, 'out', event1], [2, 'out', result(1, 'down', { isError: true })])).not.toHaveProperty(
      'isRejected',
    );
  });
});

describe('fromWireMsg', () => {
  it.each<[string, object, object]>([
    [
      'the new names of deltas',
      { type: 'agent_message_content_delta', thread_id: 't', turn_id: 'u', item_id: 'i', delta: 'a' },
      { type: 'agent_message_delta', item_id: 'i', delta: 'a' },
    ],
    [
      'a delta without an item',
      { type: 'agent_message_delta', delta: 'a' },
      { type: 'agent_message_delta', item_id: '', delta: 'a' },
    ],
    [
      'output as base64',
      { type: 'exec_command_output_delta', call_id: 'c', chunk: 'aGk=' },
      { type: 'exec_command_output_delta', call_id: 'c', chunk: Buffer.from('hi') },
    ],
    [
      'output as numbers',
      { type: 'exec_command_output_delta', call_id: 'c', chunk: [104, 105] },
      { type: 'exec_command_output_delta', call_id: 'c', chunk: Uint8Array.from([104, 105]) },
    ],
    [
      'usage inside info',
      { type: 'token_count', info: { last_token_usage: { input_tokens: 1 } }, rate_limits: {} },
      { type: 'token_count', input_tokens: 1 },
    ],
    [
      'the sums of usage',
      {
        type: 'token_count',
        input_tokens: 1,
        info: { total_token_usage: { input_tokens: 3 }, model_context_window: 9 },
      },
      { type: 'token_count', input_tokens: 1, total: { input_tokens: 3 }, model_context_window: 9 },
    ],
    [
      'changes with their kind inside',
      { type: 'patch_apply_begin', changes: { 'a.txt': { type: 'add', content: 'x' }, 'b.txt': { delete: {} } } },
      { type: 'patch_apply_begin', changes: { 'a.txt': { add: { content: 'x' } }, 'b.txt': { delete: {} } } },
    ],
    [
      'a command that is missing',
      { type: 'exec_command_begin', call_id: 'c' },
      { type: 'exec_command_begin', call_id: 'c', command: [], cwd: '' },
    ],
  ])('reads %s', (_, wire, msg) => {
    expect(fromWireMsg({ ...wire })).toEqual(msg);
  });

  it('leaves out what clients of today do not get', () => {
    expect(fromWireMsg({ type: 'raw_response_item' })).toBeUndefined();
    expect(fromWireMsg({})).toBeUndefined();
  });
});
