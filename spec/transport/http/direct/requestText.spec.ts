import fc from 'fast-check';
import { toRequestText } from '../../../../src/transport/http/direct/requestText';
import { toTarget } from '../../../../src/transport/http/direct/target';

const target = toTarget('http://model.test:8080/v1');
const request = (headers: Record<string, string>, body = '') => ({ url: '', headers, body });

describe('toRequestText', () => {
  it('is a POST in one piece, with the length of its body in bytes', () => {
    expect(toRequestText(target, request({ 'content-type': 'text/plain' }, 'grüße'))).toEqual({
      text: 'POST /v1 HTTP/1.1\r\ncontent-type: text/plain\r\nHost: model.test:8080\r\nConnection: keep-alive\r\nContent-Length: 7\r\n\r\ngrüße',
      encoding: 'utf8',
    });
  });

  it('writes ASCII as it is', () => {
    expect(toRequestText(target, request({}, '{}')).encoding).toBe('latin1');
  });

  it('writes a header in the same bytes, whatever the body is', () => {
    const encodings = ['{}', 'grüße'].map(
      (body) => toRequestText(target, request({ 'x-name': 'Jürgen' }, body)).encoding,
    );
    expect(encodings).toEqual(['utf8', 'utf8']);
  });

  it('sends no length where there is no body and none is expected, and that of an empty POST', () => {
    expect(toRequestText(target, { ...request({}), method: 'GET' }).text).not.toContain('Content-Length');
    expect(toRequestText(target, request({})).text).toContain('Content-Length: 0\r\n');
  });

  it('sends the login of an address, unless the request has one', () => {
    const own = toTarget('http://me:pass@model.test/');
    expect(toRequestText(own, request({})).text).toContain('Authorization: Basic bWU6cGFzcw==\r\n');
    expect(toRequestText(own, request({ authorization: 'Bearer x' })).text).not.toContain('Basic');
  });

  it('takes the host of the request, and what belongs to the connection from nobody', () => {
    const { text } = toRequestText(
      target,
      request({ Host: 'other.test', Connection: 'close', 'Content-Length': '9', 'Transfer-Encoding': 'chunked' }, 'a'),
    );
    expect(text).toBe('POST /v1 HTTP/1.1\r\nHost: other.test\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na');
  });

  it.each([
    [{ 'a b': 'x' }, 'Header name must be a valid HTTP token ["a b"]'],
    [{ '': 'x' }, 'Header name must be a valid HTTP token [""]'],
    [{ authorization: 'secret\r\nX: y' }, 'Invalid character in header content ["authorization"]'],
    [{ authorization: 'secret\0' }, 'Invalid character in header content ["authorization"]'],
    [{ authorization: 'secret€' }, 'Invalid character in header content ["authorization"]'],
  ])('refuses %j by the name of the header', (headers, message) => {
    expect(() => toRequestText(target, request(headers as Record<string, string>))).toThrow(new TypeError(message));
  });

  it('is one request, whatever the headers hold', () => {
    const headers = fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8, unit: 'binary' }), {
      maxKeys: 3,
    });
    fc.assert(
      fc.property(headers, (given) => {
        try {
          const { text } = toRequestText(target, request(given));
          expect(text.indexOf('\r\n\r\n')).toBe(text.length - 4);
          expect(
            text
              .split('\r\n')
              .slice(1, -2)
              .every((line) => /^[^:\s]+: /.test(line)),
          ).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});
