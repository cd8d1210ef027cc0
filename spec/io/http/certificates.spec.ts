import { join } from 'node:path';
import { trustOf } from '../../../src/io/http/httpClients';
import { SetupError } from '../../../src/io/stdio/setupError';

const certificate = join(__dirname, '../../fixtures/tls/model.test.pem');
const key = join(__dirname, '../../fixtures/tls/no.such.pem');

describe('trustOf', () => {
  it.each([
    ['nothing is set', {}],
    ['a variable is blank', { SSL_CERT_FILE: ' ' }],
    ['only the variable that Node reads itself is set', { NODE_EXTRA_CA_CERTS: key }],
  ])('leaves the authorities to Node where %s', (_, env) => {
    expect(trustOf(env)).toEqual({});
  });

  it.each(['SSL_CERT_FILE', 'CODEX_CA_CERTIFICATE'])('trusts the authorities in the file of %s', (name) => {
    expect(Object.keys(trustOf({ [name]: ` ${certificate} ` }))).toEqual(['secureContext']);
  });

  it.each([
    ['a file that is not there', { SSL_CERT_FILE: key }, `SSL_CERT_FILE names ${key}, which cannot be read: ENOENT`],
    [
      'a file without a certificate',
      { SSL_CERT_FILE: __filename },
      `SSL_CERT_FILE names ${__filename}, which holds no certificate in PEM`,
    ],
    [
      'the file of Node where another is set too',
      { NODE_EXTRA_CA_CERTS: key, SSL_CERT_FILE: certificate },
      `NODE_EXTRA_CA_CERTS names ${key}, which cannot be read`,
    ],
    [
      'the first variable that is set',
      { CODEX_CA_CERTIFICATE: key, SSL_CERT_FILE: certificate },
      `CODEX_CA_CERTIFICATE names ${key}, which cannot be read`,
    ],
  ])('names the variable and the path of %s', (_, env, text) => {
    expect(() => trustOf(env)).toThrow(SetupError);
    expect(() => trustOf(env)).toThrow(text);
  });
});
