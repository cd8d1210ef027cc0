/** A process that logs as fast as its arguments say and answers each line of stdin on stdout: does logging cost it time or life? */
import { createInterface } from 'node:readline';
import { createLog } from '../../../src/io/log/createLog';

const log = createLog({ level: 'debug', stderr: process.stderr, secrets: () => ['hunter2hunter2'], now: () => clock });
let clock = Date.now();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    for (let i = 0; i < Number(line); i += 1) {
      clock += 6; // fewer than 200 a second: the burst limit is not what is looked at here
      log('info', 'a record', { i, text: 'x'.repeat(4000), key: 'hunter2hunter2' });
    }
    const winston = Object.keys(require.cache).some((path) => path.includes('winston'));
    process.stdout.write(`${JSON.stringify({ answered: line, winston, waiting: process.stderr.writableLength })}\n`);
  })
  .on('close', async () => {
    await log.flush(200);
    process.stdout.write('"bye"\n', () => process.exit(0));
  });
