import { cancelledBy } from '../../../src/io/mcpClient/cancelledBy';

describe('cancelledBy', () => {
  it('is the id of the request that a notification cancels', () => {
    expect(cancelledBy({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'late' } })).toBe(7);
    expect(cancelledBy({ method: 'notifications/cancelled', params: { requestId: 'a' } })).toBe('a');
  });

  it('is undefined for any other message, and where none is named', () => {
    expect(cancelledBy({ method: 'notifications/progress', params: { requestId: 7 } })).toBeUndefined();
    expect(cancelledBy({ method: 'notifications/cancelled', params: {} })).toBeUndefined();
    expect(cancelledBy({ method: 'notifications/cancelled', params: null })).toBeUndefined();
  });
});
