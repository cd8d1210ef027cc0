import { redact, toHeaders, toUrl } from '../../src/model/request';
import { provider } from '../support/models';

describe('toUrl', () => {
  it.each([
    [{ baseUrl: 'http://h/v1' }, 'http://h/v1/responses'],
    [{ baseUrl: 'http://h/v1//' }, 'http://h/v1/responses'],
    [
      { baseUrl: 'http://h', queryParams: { 'api version': 'a&b', x: '1' } },
      'http://h/responses?api+version=a%26b&x=1',
    ],
    [{ baseUrl: undefined }, 'https://api.openai.com/v1/responses'],
  ])('of %j is %s', (own, url) => {
    expect(toUrl(provider(own), 'responses')).toBe(url);
  });
});

describe('toHeaders', () => {
  it('joins all in lower case; those of the provider win', () => {
    const own = {
      httpHeaders: { ACCEPT: 'x', Empty: '' },
      envHttpHeaders: { 'X-Set': 'SET', 'X-Blank': 'BLANK', 'X-None': 'NONE' },
    };
    const env = { SET: ' value ', BLANK: ' ' };
    expect(toHeaders(env, provider(own), { key: 'k', own: { Originator: 'o' } })).toEqual({
      'content-type': 'application/json',
      accept: 'x',
      originator: 'o',
      authorization: 'Bearer k',
      'x-set': 'value',
    });
  });

  it('has no authorization without a key', () => {
    expect(toHeaders({}, provider(), { key: undefined, own: {} })).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
    });
  });
});

describe('redact', () => {
  it('takes out every secret, wherever it is', () => {
    expect(redact('k1 and k2k1', ['k1', undefined, '', 'k2'])).toBe('*** and ******');
  });
});
