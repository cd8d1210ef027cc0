/**
 * A program that swaps a folder for a link and back, without end: the attacker of `swap.spec.ts`. Arguments: the folder, where the link leads.
 */
import { renameSync, rmSync, symlinkSync } from 'node:fs';

const [folder = '', target = ''] = process.argv.slice(2);
const aside = `${folder}.aside`;

/** Most of the time the folder is itself, so that patches find it so and meet the link later. */
const MAX_REST_MS = 60;
const rest = new Int32Array(new SharedArrayBuffer(4));

/** The patch may make the folder anew as soon as it is gone, so a step is tried until it succeeds. */
const insist = (act: () => void): void => {
  for (;;) {
    try {
      rmSync(folder, { recursive: true, force: true });
      act();
      return;
    } catch {
      Atomics.wait(rest, 0, 0, 1); // the patch was faster
    }
  }
};

process.stdout.write('ready\n');
for (;;) {
  Atomics.wait(rest, 0, 0, Math.random() * MAX_REST_MS);
  renameSync(folder, aside);
  insist(() => symlinkSync(target, folder));
  Atomics.wait(rest, 0, 0, Math.random() * 2);
  insist(() => renameSync(aside, folder));
}
