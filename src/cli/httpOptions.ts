/** The options of commands that listen for HTTP. */
import { problemOfHttp } from '../io/mcpServer/httpAddress';
import type { Options } from './option';

/** Where to listen, and under which names. */
export const HTTP_OPTIONS = {
  http: {
    type: 'string',
    describe: 'Where clients connect over HTTP: a port, or IP:PORT; port 0 is any free one, which stderr names',
  },
  'allow-host': {
    type: 'string',
    array: true,
    describe: 'A host name, besides localhost, that clients may use; needed if other machines can reach IP',
  },
} as const satisfies Options;

/** What is wrong with the address and the names; undefined where nothing is. */
export const problemOfListening = (http: string | undefined, hosts: readonly string[]): string | undefined => {
  if (http !== undefined) return problemOfHttp(http, hosts);
  return hosts.length > 0 ? '--allow-host goes with --http' : undefined;
};
