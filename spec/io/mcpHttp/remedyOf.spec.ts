import { remedyOf } from '../../../src/io/mcpHttp/remedyOf';

describe('remedyOf', () => {
  it.each([
    ['unable to verify the first certificate', /NODE_EXTRA_CA_CERTS/],
    ['self-signed certificate in certificate chain', /SSL_CERT_FILE/],
    ['write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', /use http:/],
    ['getaddrinfo ENOTFOUND docs.invalid', /name of the host/],
    ['connect ECONNREFUSED 127.0.0.1:1', /is the server running/],
  ])('of %j', (reason, remedy) => {
    expect(remedyOf(reason)).toMatch(remedy);
  });
});
