/** Questions of an app-server beyond those on the tapes: its MCP servers, patches that name a folder. */
import { declineOf, isQuestion, toQuestion } from '../../src/appServer/approvals';
import { nothingHeard } from '../../src/appServer/heard';
import type { ReviewResult } from '../../src/protocol/codex';
import type { JsonObject, Request } from '../../src/protocol/jsonrpc';

const request = (method: string, params: JsonObject): Request => ({ kind: 'request', id: 1, method, params });
const elicited = (params: JsonObject) => toQuestion(nothingHeard(), request('mcpServer/elicitation/request', params));
const schema = { type: 'object', properties: { name: { type: 'string' } } };
const form = { serverName: 's', message: 'Who?', requestedSchema: schema };

const verdicts: ReviewResult[] = [
  { decision: 'approved' },
  { decision: 'approved_for_session' },
  { decision: 'denied' },
  { decision: 'abort' },
];

describe('toQuestion', () => {
  it('hands a form on as it is, and its fields back', () => {
    const { msg, answer } = elicited(form);
    expect(msg).toEqual({ type: 'elicitation_request', server_name: 's', message: 'Who?', requested_schema: schema });
    expect(answer({ decision: 'approved', form: { name: 'Ann' } })).toEqual({
      action: 'accept',
      content: { name: 'Ann' },
    });
    expect(verdicts.map(answer).map(({ action }) => action)).toEqual(['decline', 'decline', 'decline', 'cancel']);
  });

  it('asks for a yes or no where Codex asks whether a tool may be called, and where a page is to be opened', () => {
    const approval = elicited({ ...form, _meta: { codex_approval_kind: 'mcp_tool_call' } });
    const page = elicited({ serverName: 's', message: 'Log in', url: 'https://x.test' });
    expect([approval.msg, page.msg]).toEqual([
      { type: 'elicitation_request', server_name: 's', message: 'Who?' },
      { type: 'elicitation_request', server_name: 's', message: 'Log in\nhttps://x.test' },
    ]);
    expect(verdicts.map(page.answer)).toEqual([
      { action: 'accept', content: {} },
      { action: 'accept', content: {}, _meta: { persist: 'session' } },
      { action: 'decline', content: null },
      { action: 'cancel', content: null },
    ]);
  });

  it('tells the folder a patch wants for good, and its files even when the item is not known', () => {
    const { msg, what } = toQuestion(
      nothingHeard(),
      request('item/fileChange/requestApproval', { itemId: 'i', grantRoot: '/w', reason: 'to mend it' }),
    );
    expect(msg).toEqual({
      type: 'apply_patch_approval_request',
      call_id: 'i',
      changes: {},
      reason: 'to mend it',
      grant_root: '/w',
    });
    expect(what).toBe('changes to files');
  });
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

describe('declineOf', () => {
  it('says no in the words of each method', () => {
    expect(declineOf(request('item/fileChange/requestApproval', {}))).toEqual({ decision: 'decline' });
    expect(declineOf(request('mcpServer/elicitation/request', {}))).toEqual({ action: 'decline', content: null });
  });
});
