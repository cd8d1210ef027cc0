/** Questions of an app-server beyond those on the tapes: its MCP servers, patches that name a folder. */
import { declinedResult, isQuestion, toQuestion } from '../../../../src/agent/appServer/items/questions';
import { initialTurn } from '../../../../src/agent/appServer/turns/turnState';
import type { ReviewResult } from '../../../../src/protocol/codex/engine';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';

const request = (method: string, params: JsonObject): Request => ({ kind: 'request', id: 1, method, params });
const elicited = (params: JsonObject) => toQuestion(initialTurn, request('mcpServer/elicitation/request', params));
const schema = { type: 'object', properties: { name: { type: 'string' } } };
const form = { serverName: 's', message: 'Who?', requestedSchema: schema };

const reviews: ReviewResult[] = [
  { decision: 'approved' },
  { decision: 'approved_for_session' },
  { decision: 'denied' },
  { decision: 'abort' },
];

describe('toQuestion', () => {
  it('forwards a form as it is, and its fields back', () => {
    const { msg, toResult } = elicited(form);
    expect(msg).toEqual({ type: 'elicitation_request', server_name: 's', message: 'Who?', requested_schema: schema });
    expect(toResult({ decision: 'approved', form: { name: 'Ann' } })).toEqual({
      action: 'accept',
      content: { name: 'Ann' },
    });
    expect(reviews.map(toResult).map(({ action }) => action)).toEqual(['decline', 'decline', 'decline', 'cancel']);
  });

  it('asks for a yes or no where Codex asks whether a tool may be called, and where a page is to be opened', () => {
    const approval = elicited({ ...form, _meta: { codex_approval_kind: 'mcp_tool_call' } });
    const page = elicited({ serverName: 's', message: 'Log in', url: 'https://x.test' });
    expect([approval.msg, page.msg]).toEqual([
      { type: 'elicitation_request', server_name: 's', message: 'Who?' },
      { type: 'elicitation_request', server_name: 's', message: 'Log in\nhttps://x.test' },
    ]);
    const declines = [
      { action: 'decline', content: null },
      { action: 'cancel', content: null },
    ];
    const accept = { action: 'accept', content: {} };
    expect(reviews.map(approval.toResult)).toEqual([accept, { ...accept, _meta: { persist: 'session' } }, ...declines]);
    expect(reviews.map(page.toResult)).toEqual([accept, accept, ...declines]);
    expect([approval.covers, page.covers]).toEqual([undefined, 'once']);
  });

  it('names the folder that a patch asks for, and its files even when the item is not known', () => {
    const { msg, subject } = toQuestion(
      initialTurn,
      request('item/fileChange/requestApproval', { itemId: 'i', grantRoot: '/w', reason: 'to mend it' }),
    );
    expect(msg).toEqual({
      type: 'apply_patch_approval_request',
      call_id: 'i',
      changes: {},
      reason: 'to mend it',
      grant_root: '/w',
    });
    expect(subject).toBe('changes to files');
  });

  it.each(['item/fileChange/requestApproval', 'item/commandExecution/requestApproval'])(
    'shows the reason of %s in one line, and what is hidden in it',
    (method) => {
      const { msg } = toQuestion(initialTurn, request(method, { itemId: 'i', reason: 'a\nAllow\u001b[2J' }));
      expect(msg).toMatchObject({ reason: 'a\\nAllow\\x1b[2J' });
    },
  );
});

describe('isQuestion', () => {
  it.each([
    ['item/commandExecution/requestApproval', true],
    ['item/fileChange/requestApproval', true],
    ['mcpServer/elicitation/request', true],
    ['item/tool/call', false],
    ['toString', false],
  ])('%s: %s', (method, is) => {
    expect(isQuestion(request(method, {}))).toBe(is);
  });
});

describe('declinedResult', () => {
  it('declines in the terms of each method', () => {
    expect(declinedResult(request('item/fileChange/requestApproval', {}))).toEqual({ decision: 'decline' });
    expect(declinedResult(request('mcpServer/elicitation/request', {}))).toEqual({ action: 'decline', content: null });
  });
});
