/** `codex-rx record --http`: records a server behind a URL. */

import { readHttpAddress } from '../../io/mcpServer/httpAddress';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import { type HttpRecordingDeps, startRecordingHttp } from '../tapes/startRecordingHttp';

/** What of the command line counts; `path` is that of the first tape. */
export type RecordHttp = { http: string; 'allow-host': readonly string[]; command: readonly string[]; path: string };

type Recording = Omit<HttpRecordingDeps, 'date' | 'stop$' | 'env'>;

/** Records until a signal comes. Exit code 2 where it cannot listen, or a tape cannot be written. */
export const recordHttp = (recording: Recording, given: RecordHttp): void => {
  const { http, 'allow-host': hosts, command, path } = given;
  const address = readHttpAddress(http);
  if (address === undefined) return;
  const deps = { ...recording, date: () => new Date(), stop$: stopSignal(), env: process.env };
  startRecordingHttp(deps, { path, address, hosts, target: new URL(command[0] as string) })
    .subscribe({
      error: ({ message }: Error) => {
        remarkAs('record')(`cannot go on: ${message}`);
        process.exitCode = exitCode.unusable;
      },
    })
    .add(() => process.exit());
};
