/**
 * The schemas of a client's requests to an exec-server about files; see params.ts.
 * Source: codex exec-server 0.142.0; `access` is ours, `mode` and fs/writeBlock are of 0.169.0.
 */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { Restrictions, types } from './paramTypes';

/** The params of fs/readFile, fs/readDirectory and fs/canonicalize. */
export const PathParams = lazy(() => z.object({ path: types().text, ...Restrictions() }));

/** The params of fs/getMetadata; `access` asks for `mode` and `writable` too, which the original does not have. */
export const MetadataParams = lazy(() =>
  z.object({ path: types().text, access: z.nullish(z.boolean()), ...Restrictions() }),
);

/** The params of fs/writeFile. */
export const WriteFileParams = lazy(() =>
  z.object({ path: types().text, dataBase64: types().text, ...Restrictions() }),
);

/** The params of fs/createDirectory and fs/remove. */
export const PathOptionsParams = lazy(() => {
  const { text, optionalFlag } = types();
  return z.object({ path: text, recursive: optionalFlag, force: optionalFlag, ...Restrictions() });
});

/** The params of fs/copy. */
export const CopyParams = lazy(() => {
  const { text, optionalFlag } = types();
  return z.object({ sourcePath: text, destinationPath: text, recursive: optionalFlag, ...Restrictions() });
});

/** The params of fs/open. */
export const OpenParams = lazy(() => {
  const { text } = types();
  return z.object({ handleId: text, path: text, mode: z.nullish(z.enum(['read', 'replace'])), ...Restrictions() });
});

/** The params of fs/readBlock. */
export const ReadBlockParams = lazy(() => {
  const { text, count } = types();
  return z.object({ handleId: text, offset: count, len: count, ...Restrictions() });
});

/** `chunk` is base64. */
export const WriteBlockParams = lazy(() => {
  const { text, count } = types();
  return z.object({ handleId: text, offset: count, chunk: text, ...Restrictions() });
});

/** The params of fs/close. */
export const CloseParams = lazy(() => z.object({ handleId: types().text, ...Restrictions() }));
