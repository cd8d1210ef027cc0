import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { localBackend } from '../../../src/executor/local/localBackend';
import { watchGroups } from '../../../src/io/processes/watchGroups';
import { backendContract } from '../../contract/backend';

describe('localBackend', () => {
  backendContract({
    open: (backpressure) =>
      localBackend({ spawn, backpressure, signals: constants.signals, watch: watchGroups({ spawn }) }),
  });
});
