/** What to do about a server over HTTP that cannot be reached. */

/** Source: Node 20 and 26, the texts of TLS errors. */
const OF_CERTIFICATE = /certificate|CERT_|altnames/i;

const NOT_TLS = /wrong version number|packet length too long/i;
const UNKNOWN_HOST = /ENOTFOUND|EAI_AGAIN/;

/** The remedy for the reason that the system gives. */
export const remedyOf = (reason: string): string => {
  if (OF_CERTIFICATE.test(reason))
    return 'SSL_CERT_FILE or NODE_EXTRA_CA_CERTS can name the file of your own certificate authority';
  if (NOT_TLS.test(reason)) return 'the server speaks no TLS there: use http://, or the port where it does';
  return UNKNOWN_HOST.test(reason) ? 'check that the name of the host is right' : 'is the server running?';
};
