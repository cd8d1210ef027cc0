/** The real sandbox keeps what every backend must keep. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostPid, openSandbox } from '../support/exec/sandboxes';
import { removeFolder } from '../support/files';
import { needs } from '../support/needs/needs';
import { backendContract } from './backend';
import type { Difference } from './differences';

const { describe } = needs('sandbox');

const DIFFERENCES: Difference[] = [
  {
    what: /output that comes after the exit/,
    because: 'all it started ends with a command',
    fails: /toEqual.*\+ {2}"output",\s+- {2}"output"|- {3}"output",/s,
  },
  {
    what: /a process of its own for each subscription/,
    because: 'each sandbox counts its processes from 1',
    fails: /Expected: .*2.*Received: .*1/s,
  },
];

describe('sandboxBackend', () => {
  const codexHome = mkdtempSync(join(tmpdir(), 'codex-rx-home-'));
  afterAll(() => removeFolder(codexHome));

  backendContract({
    differences: DIFFERENCES,
    hostPid,
    open: (backpressure) =>
      openSandbox({
        own: { cwd: '/', writableRoots: [tmpdir()], networkAccess: true, unixSockets: false },
        codexHome,
        backpressure,
      }).asSet, // sockets of other specs come and go: see sandboxEscapes
  });
});
