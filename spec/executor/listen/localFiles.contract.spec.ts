/** The contract of the port of files, kept by this machine. */

import { localFiles } from '../../../src/executor/listen/localFiles';
import { changeHere } from '../../../src/executor/localPatch/patchHere';
import { silentLog } from '../../../src/protocol/log';
import { filesContract } from '../../contract/files';
import { newFolder } from '../localPatch/files';

describe('localFiles', () => {
  filesContract(localFiles(changeHere({ codexHome: newFolder(), platform: process.platform, log: silentLog })));
});
