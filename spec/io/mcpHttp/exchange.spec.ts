import { isFine, isInitialize, isInitialized, remedyOf } from '../../../src/io/mcpHttp/exchange';

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

describe('isFine', () => {
  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [0, false],
  ])('of %d is %j', (status, expected) => {
    expect(isFine(status)).toBe(expected);
  });
});

describe('isInitialize', () => {
  it('finds initialize, also in a batch', () => {
    expect(isInitialize('[{"id":1,"method":"ping"},{"id":2,"method":"initialize"}]')).toBe(true);
    expect(isInitialize('{"method":"notifications/initialized"}')).toBe(false);
  });
});

describe('isInitialized', () => {
  it('finds the end of the handshake', () => {
    expect(isInitialized('{"method":"notifications/initialized"}')).toBe(true);
    expect(isInitialized('{"id":1,"method":"notifications/initialized"}')).toBe(false);
  });
});
