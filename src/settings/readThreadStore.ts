/** Where threads are kept: the key `thread_store`, which is the operator's alone. */
import { isPlainName, PLAIN_NAME } from '../streams/text/trim';
import type { ConfigDeps } from './deps';
import { builtIns } from './layers/builtIns';
import { fileLayer } from './layers/fileLayer';
import { flagLayer } from './layers/flagLayer';
import { toSources } from './layers/sources';
import { check, misfit } from './schema/check';

const KEY = 'thread_store';
const FILES = 'files';
const ADDRESS = /^(?:nats|tls):\/\/[^/?#]*(?:\/?(.*))$/is;

/** The NATS server that keeps threads, undefined if they are files. Profiles and calls cannot change it. Throws ConfigError. */
export const readThreadStore = (deps: ConfigDeps): string | undefined => {
  const sources = toSources([builtIns(deps), fileLayer(deps), flagLayer(deps)]);
  const { thread_store: store = FILES } = check(sources);
  if (store === FILES) return undefined;
  const [isAddress, name = ''] = ADDRESS.exec(store) ?? [];
  if (isAddress === undefined) throw misfit(sources, [KEY], '"files" or nats://HOST[:PORT][,HOST[:PORT]...][/NAME]');
  if (name === '' || isPlainName(name)) return store;
  throw misfit(sources, [KEY], `a NAME behind the server that has ${PLAIN_NAME}`);
};
