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
}
