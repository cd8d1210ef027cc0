import { sessionConfigured } from '../../../../src/agent/appServer/threads/openThread';

const history = { history_log_id: 3, history_entry_count: 4 };
const configured = {
  type: 'session_configured',
  session_id: 'T',
  model: 'm',
  model_provider_id: 'p',
  cwd: '/w',
  mcp_servers: 'reported',
  approval_policy: 'never',
  sandbox_mode: 'workspace-write',
  ...history,
};
const result = {
  model: 'm',
  modelProvider: 'p',
  approvalPolicy: 'never',
  sandbox: { type: 'workspaceWrite' },
  cwd: '/w',
};

describe('sessionConfigured', () => {
  it.each([
    ['as the server names it ', {}, {}],
    ['with full access       ', { sandbox: { type: 'dangerFullAccess' } }, { sandbox_mode: 'danger-full-access' }],
    ['with an unknown sandbox', { sandbox: { type: 'cloud' } }, { sandbox_mode: 'read-only' }],
    ['without a sandbox      ', { sandbox: undefined }, { sandbox_mode: 'read-only' }],
    ['without a policy       ', { approvalPolicy: null }, { approval_policy: 'on-request' }],
    ['without a model        ', { model: undefined }, { model: '' }],
  ])('is the first event of a thread, %s', (_, own, expected) => {
    expect(sessionConfigured('T', { ...result, ...own }, history)).toEqual({ ...configured, ...expected });
  });
});
