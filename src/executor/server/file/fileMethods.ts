/** The methods of family fs/ over the port Files. */
import { identity } from 'rxjs';
import { ApplyChangesParams, SettleChangesParams } from '../../../protocol/exec/changeParams';
import {
  CopyParams,
  MetadataParams,
  PathOptionsParams,
  PathParams,
  WriteFileParams,
} from '../../../protocol/exec/fileParams';
import type { FileFacts, Files } from '../../files';
import { toPath } from '../../toPath';
import { toUri } from '../../toUri';
import { fromBase64 } from '../base64';
import { type Method, results } from '../method';
import { toChange } from '../toChange';
import { copyFile } from './copyFile';
import { invalid } from './fileErrors';
import { fileMethod } from './fileMethod';
import { handleMethods } from './handleMethods';
import { readFile } from './readFile';

export type FileMethodsDeps = { files: Files };

/** The methods of one session. Unsubscribing from fs/open closes the file. */
export const fileMethods = ({ files }: FileMethodsDeps): Record<string, Method> => ({
  'fs/readFile': fileMethod(PathParams, ({ path }) => readFile(files, toPath(path, 'path'))),
  'fs/writeFile': fileMethod(WriteFileParams, ({ path, dataBase64 }) => {
    const to = toPath(path, 'path');
    const bytes = fromBase64(dataBase64);
    return typeof bytes === 'string'
      ? invalid(`fs/writeFile requires valid base64 dataBase64: ${bytes}`)
      : results(files.write(to, bytes), empty);
  }),
  'fs/createDirectory': fileMethod(PathOptionsParams, ({ path, recursive }) =>
    results(files.makeDirectory(toPath(path, 'path'), { recursive: recursive ?? true }), empty),
  ),
  'fs/getMetadata': fileMethod(MetadataParams, ({ path, access }) =>
    results(files.facts(toPath(path, 'path')), access === true ? identity : withoutAccess),
  ),
  'fs/readDirectory': fileMethod(PathParams, ({ path }) =>
    results(files.list(toPath(path, 'path')), (entries) => ({ entries })),
  ),
  'fs/remove': fileMethod(PathOptionsParams, ({ path, recursive, force }) =>
    results(files.remove(toPath(path, 'path'), { recursive: recursive ?? true, force: force ?? true }), empty),
  ),
  'fs/copy': fileMethod(CopyParams, (params) => results(copyFile(files, params), empty)),
  'fs/canonicalize': fileMethod(PathParams, ({ path }) =>
    results(files.canonical(toPath(path, 'path')), (found) => ({ path: toUri(found) })),
  ),
  ...patchMethods(files),
  ...handleMethods(files),
});

const empty = () => ({});

/** The facts that Codex reports of a file. */
const withoutAccess = ({ mode: _, writable: __, ...facts }: FileFacts) => facts;

const patchMethods = (files: Files): Record<string, Method> => ({
  'fs/applyChanges': fileMethod(ApplyChangesParams, ({ changes, journalId }) =>
    results(files.change(changes.map(toChange), journalId ?? undefined)),
  ),
  'fs/settleChanges': fileMethod(SettleChangesParams, ({ journal, phase, sinceMs }) =>
    results(files.settle({ journal, phase, sinceMs: sinceMs ?? Number.POSITIVE_INFINITY }), empty),
  ),
});
