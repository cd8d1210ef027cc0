import { toCall } from '../../../../src/executor/server/http/httpMethods';

const params = { method: 'POST', url: 'https://h/' };

describe('toCall', () => {
  it('reads a request', () => {
    const headers = [{ name: 'a', value: 'b' }];
    expect(toCall({ ...params, headers, bodyBase64: 'aGk=', redirectPolicy: 'stop' })).toEqual({
      ...{ ...params, headers, redirects: 'stop', body: Buffer.from('hi') },
    });
    expect(toCall({ ...params, headers: null })).toEqual({ ...params, headers: [], redirects: 'follow' });
  });

  it.each([
    [{ url: 'no' }, 'http/request URL is invalid: no'],
    [{ url: 'file:///etc/passwd' }, 'http/request only supports http and https URLs, got file'],
    [{ method: 'A B' }, 'http/request method is invalid: A B'],
    [{ headers: [{ name: 'a b', value: '' }] }, 'http/request header is invalid: a b'],
    [{ headers: [{ name: 'a', value: 'x\r\nb: c' }] }, 'http/request header is invalid: a'],
    [{ bodyBase64: 'a' }, 'Invalid padding'],
  ])('refuses %j', (own, message) => {
    expect(() => toCall({ ...params, ...own })).toThrow(message);
  });
});
