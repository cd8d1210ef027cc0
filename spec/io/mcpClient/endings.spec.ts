import { cancelledBy, withoutAnswered } from '../../../src/io/mcpClient/endings';

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

const OPEN = [1, '1', 2];

describe('withoutAnswered', () => {
  it('leaves the requests that a line does not answer', () => {
    expect(withoutAnswered(OPEN, { kind: 'line', line: '{"id":1,"result":{}}' })).toEqual(['1', 2]);
    expect(withoutAnswered(OPEN, { kind: 'line', line: '[{"id":"1","error":{}},{"id":2,"result":{}}]' })).toEqual([1]);
    expect(withoutAnswered(OPEN, { kind: 'line', line: '{"id":1,"method":"ping"}' })).toEqual(OPEN);
    expect(withoutAnswered(OPEN, { kind: 'line', line: '{"id":null,"error":{}}' })).toEqual(OPEN);
  });

  it('leaves none behind a failure with a status', () => {
    expect(withoutAnswered(OPEN, { kind: 'failed', status: 500 })).toEqual([]);
    expect(withoutAnswered(OPEN, { kind: 'line', line: '{"id":null,"error":{}}', status: 404 })).toEqual([]);
  });

  it('leaves all behind what is no message', () => {
    expect(withoutAnswered(OPEN, { kind: 'event', event: { data: '' } })).toEqual(OPEN);
  });
});
