/** The contract of the port of files, kept by this machine. */
import { changeHere } from '../../../src/app/exec/changeHere';
import { localFiles } from '../../../src/app/exec/localFiles';
import { silentLog } from '../../../src/log/log';
import { filesContract } from '../../contract/files';
import { newFolder } from '../applyPatch/files';

describe('localFiles', () => {
  filesContract(localFiles(changeHere({ codexHome: newFolder(), platform: process.platform, log: silentLog })));
});
