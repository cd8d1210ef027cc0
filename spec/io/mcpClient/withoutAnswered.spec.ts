import { withoutAnswered } from '../../../src/io/mcpClient/withoutAnswered';

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
