/** The contract of the port of files, kept through our own exec-server as built, also where its ceiling keeps files in a sandbox. */
import { remoteFiles } from '../../../src/executor/remote/remoteFiles';
import { filesContract } from '../../contract/files';
import { execExecutor } from '../../support/exec/execExecutor';
import { needs } from '../../support/needs/needs';

describe('remoteFiles', () => {
  filesContract(remoteFiles(execExecutor()));
});

needs('sandbox').describe('remoteFiles below a ceiling', () => {
  filesContract(remoteFiles(execExecutor('--root', '/tmp')));
});
