import { secretsOf } from '../../../src/agent/modelHttp/request';
import { provider } from '../../support/models';

describe('secretsOf', () => {
  it('names the credential and what a configured header or parameter may hold', () => {
    const own = {
      envHttpHeaders: { 'X-A': 'A', 'X-B': 'B' },
      httpHeaders: { Authorization: 'Basic 12345', 'X-On': 'true' },
      queryParams: { key: 'abcdefgh', v: '1' },
    };
    expect(secretsOf({ A: ' secret ' }, provider(own), { key: 't', account: {} })).toEqual([
      't',
      'secret',
      undefined,
      'Basic 12345',
      'abcdefgh',
    ]);
  });

  it('names the login of the address, as it is sent', () => {
    const own = { baseUrl: 'http://me:p%40ssword@host/v1' };
    expect(secretsOf({}, provider(own), undefined)).toEqual([undefined, 'p%40ssword', 'p@ssword', 'bWU6cEBzc3dvcmQ=']);
  });
});
