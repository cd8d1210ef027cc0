import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { localBackend } from '../../../src/executor';
import { watchGroups } from '../../../src/transport';
import { backendContract } from '../../contract/backend';

describe('localBackend', () => {
  backendContract({
    open: (pressure) => localBackend({ spawn, pressure, signals: constants.signals, watch: watchGroups({ spawn }) }),
  });
});
