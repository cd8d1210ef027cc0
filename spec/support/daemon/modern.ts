/** Makes the messages of a client of 2026-07-28, where every request names its client and its capabilities. */
import type { Json } from './peer';

const PREFIX = 'io.modelcontextprotocol';

/** Params with the `_meta` that this revision demands. */
export const modern = (params: Json = {}, capabilities: Json = {}, version = '2026-07-28', meta: Json = {}): Json => ({
  ...params,
  _meta: {
    [`${PREFIX}/protocolVersion`]: version,
    [`${PREFIX}/clientCapabilities`]: capabilities,
    [`${PREFIX}/clientInfo`]: { name: 'wire-spec', version: '0' },
    ...meta,
  },
});
