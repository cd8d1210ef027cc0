import { cancelledNotification } from '../../../src/agent/toolServers/callTool';

describe('cancelledNotification', () => {
  it('names the request and the reason', () => {
    expect(cancelledNotification(7, 'late')).toEqual({
      kind: 'notification',
      method: 'notifications/cancelled',
      params: { requestId: 7, reason: 'late' },
    });
  });
});
