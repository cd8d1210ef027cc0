/** What helps where a server over HTTP cannot be reached. */

/** Source: Node 20 and 26, the texts of TLS errors. */
const OF_CERTIFICATE = /certificate|CERT_|altnames/i;

/** The remedy for the reason that the system gives. */
export const remedyOf = (reason: string): string =>
  OF_CERTIFICATE.test(reason)
    ? 'SSL_CERT_FILE or NODE_EXTRA_CA_CERTS names the file of an authority of your own'
    : 'is the server running?';
