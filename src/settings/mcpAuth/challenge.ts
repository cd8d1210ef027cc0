/** The challenge of a server that requires a login, in `WWW-Authenticate`. Own code: only two members are read, which needs no grammar of the header. */

/** `metadata`: the address of the document that describes the server; `scope`: what a token must allow. */
export type Challenge = { metadata?: string; scope?: string };

/** Reads the challenge for bearer tokens among those of a header. Source: RFC 9728 5.1, RFC 6750 3. */
export const readChallenge = (header: string): Challenge => {
  const memberOf = (name: string): string | undefined =>
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i')
      .exec(header)
      ?.slice(1)
      .find((one) => one !== undefined);
  const [metadata, scope] = [memberOf('resource_metadata'), memberOf('scope')];
  return { ...(metadata && { metadata }), ...(scope && { scope }) };
};
