/** The files of a patch, from the wire. */
import type * as z from 'zod/mini';
import type { WireChange } from '../../protocol/exec/params';
import type { FileChange, FileContent } from '../files';
import { toPath } from '../toPath';
import { toBytes } from './method';

type Wire = z.output<ReturnType<typeof WireChange>>;

/** Throws RpcError for a path that is not absolute, and for invalid base64. */
export const toChange = ({ path, absolute, real, found, before, after, movedTo }: Wire): FileChange => ({
  path,
  absolute,
  real: toPath(real, 'real'),
  found,
  ...(before && { before: toContent(before) }),
  ...(after && { after: toContent(after) }),
  ...(typeof movedTo === 'string' && { movedTo: toPath(movedTo, 'movedTo') }),
});

const PERMISSIONS = 0o777;

const toContent = ({ dataBase64, mode }: NonNullable<Wire['before']>): FileContent => ({
  bytes: toBytes(dataBase64),
  mode: typeof mode === 'number' ? mode & PERMISSIONS : 'default',
});
