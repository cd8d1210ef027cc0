import { remedyOf } from '../../src/mcpHttp/remedyOf';

describe('remedyOf', () => {
  it.each([
    ['unable to verify the first certificate', /NODE_EXTRA_CA_CERTS/],
    ['self-signed certificate in certificate chain', /SSL_CERT_FILE/],
    ['connect ECONNREFUSED 127.0.0.1:1', /is the server running/],
  ])('of %j', (reason, remedy) => {
    expect(remedyOf(reason)).toMatch(remedy);
  });
});
