/** Runs once before the first spec: finds out what this machine does not have, prints a line for each, and leaves it to the specs and the report. */
import { prepare, toLine } from './findMissing';
import { thisMachine } from './machine';
import { setMissing } from './missing';

/** @see setup */
export default function setup(): void {
  const machine = thisMachine();
  const missing = prepare(machine, process.env.SPECS_INSTALL === 'yes');
  missing.map(toLine).forEach(machine.print);
  setMissing(missing);
  if (!machine.hasPeers) delete process.env[CERTIFICATES];
}

/**
 * Authorities that this machine trusts besides. Node 20 reads them, and with them all that it knows itself, at each start, which takes longer than all
 * the rest of its start. Only what is installed from the network needs them.
 */
const CERTIFICATES = 'NODE_EXTRA_CA_CERTS';
