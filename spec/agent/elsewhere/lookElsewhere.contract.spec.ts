/** Patches see the same of files of another machine as of this one. */
import { lookElsewhere } from '../../../src/agent/elsewhere/filesElsewhere';
import { remoteFiles } from '../../../src/executor/remote/remoteFiles';
import { lookContract } from '../../contract/look';
import { execExecutor } from '../../support/exec/execExecutor';

describe('lookElsewhere', () => {
  lookContract(lookElsewhere({ files: remoteFiles(execExecutor()) }));
});
