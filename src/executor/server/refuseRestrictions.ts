/** Restrictions for access to files, which this exec-server cannot keep. */

import { INTERNAL_ERROR, RpcError } from '../../protocol/jsonrpc';
import { type Restrictions, toPermissions } from './toPermissions';

/** Throws RpcError for a restriction: one that cannot be kept is refused, not ignored. */
export const refuseRestrictions = (restrictions: Restrictions): void => {
  if (toPermissions({ tmpdir: undefined }, restrictions) !== undefined) {
    throw new RpcError(INTERNAL_ERROR, 'sandboxed access to files is not supported by this exec-server');
  }
};
