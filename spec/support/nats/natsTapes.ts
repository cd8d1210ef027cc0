/** Owns sessions that are recorded to NATS and, the same, to a disk. */
import { Readable } from 'node:stream';
import { concat, defer, ignoreElements, lastValueFrom, of } from 'rxjs';
import { openTapeFile } from '../../../src/app/tapes/openTapeFile';
import { connectNats } from '../../../src/fleet/link/connectNats';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { withResource } from '../../../src/streams/withResource';
import { openTape } from '../../../src/tapes/files/openTape';

/** What the functions of tapes need: connections without a login. */
export const tapeDeps = {
  nats: (address: string) => connectNats({ address, settings: NATS_DEFAULTS, log: silentLog }),
  stdin: Readable.from([]),
  remark: () => {},
};

const message = (id: number, value: object) => JSON.stringify({ jsonrpc: '2.0', id, ...value });
const INITIALIZE = message(1, { method: 'initialize', params: { clientInfo: { name: 'me', version: '1' } } });
const RESPONSE = message(1, { result: { serverInfo: { name: 'it', version: '2' }, protocolVersion: '2025-06-18' } });
const LINE = '\u00e4'.repeat(100);

/** A session: `rounds` of a hundred lines each, with `pause` before each. */
export type Recorded = { rounds: number; pause?: (round: number) => Promise<unknown> };

/** Records it, by a clock that counts; resolves with why the tape is incomplete. */
export const recordedTo = (target: string, { rounds, pause = async () => {} }: Recorded) => {
  let ms = 0;
  const deps = { now: () => ms++, soon: setImmediate, remark: () => {} };
  return lastValueFrom(
    openTapeFile(tapeDeps, target).pipe(
      withResource((file) => {
        const { tape, close, settled$ } = openTape(file, { version: 1 }, deps);
        tape({ dir: 'in', line: INITIALIZE });
        tape({ dir: 'out', line: RESPONSE });
        const write = async () => {
          for (let round = 0; round < rounds; round += 1) {
            await pause(round);
            for (let i = 0; i < 100; i += 1) tape({ dir: 'out', line: `${round} ${i} ${LINE}` });
          }
        };
        return concat(
          defer(write).pipe(ignoreElements()),
          defer(() => {
            const { trouble } = close();
            return trouble === undefined ? settled$ : of(trouble);
          }),
        );
      }),
    ),
  );
};
