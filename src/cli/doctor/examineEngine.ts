/** Which engine is chosen, and why. */
import { defer, map, type Observable } from 'rxjs';
import type { enginesOf } from '../../app/engines/engines';
import type { Result } from './finding';

/** Makes a real handshake where an installed Codex may be used. */
export const examineEngine = ({ choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    return choice$.pipe(
      map(({ engine: name, reason, remedy }): Result => {
        const isUsable = name !== 'native' || !/No API key|Missing environment variable/.test(reason);
        return {
          text: `${name}: ${reason}`,
          ms: Date.now() - startMs,
          ...(remedy && { state: 'warning', remedy: `to use the installed Codex, ${remedy}` }),
          ...(!isUsable && { state: 'fault', remedy: [remedyOf(reason), ...(remedy ? [remedy] : [])].join('; or ') }),
        };
      }),
    );
  });

/** A login does not help a provider whose key comes from a variable. */
const remedyOf = (reason: string): string => {
  const [, variable] = reason.match(/Missing environment variable: `([^`]*)`/) ?? [];
  if (variable === undefined) return 'codex-rx login, or a model provider in config.toml';
  return `set ${variable} where the server is started, as in env of the entry of its client`;
};
