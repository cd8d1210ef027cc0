/** Why nothing can listen at an address, in words that say what to change. */

/** The address that was asked for. */
type ListenAddress = { host: string; port: number };

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: name another port, or end that program',
  EACCES: 'this user may not listen there: name a port from 1024 on',
  EADDRNOTAVAIL: 'this machine has no such address: name one of its own',
};

/** The same error, with its code; its text names the address, and the remedy if it is known. */
export const toListenError = ({ host, port }: ListenAddress, error: NodeJS.ErrnoException): NodeJS.ErrnoException => {
  const remedy = REMEDIES[error.code ?? ''];
  if (remedy !== undefined) error.message = `cannot listen at ${toPlace(host, port)} (${error.code}); ${remedy}`;
  return error;
};

const toPlace = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
