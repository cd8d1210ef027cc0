/** Which engine is chosen, and why. */
import { defer, map, type Observable } from 'rxjs';
import type { enginesOf } from '../engines/engines';
import type { Result } from './finding';

/** Makes a real handshake where an installed Codex may be used. */
export const examineEngine = ({ choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    return choice$.pipe(
      map(({ engine: name, reason, isFallback }): Result => {
        const isUsable = name !== 'native' || !/No API key|Missing environment variable/.test(reason);
        return {
          text: `${name}: ${reason}`,
          ms: Date.now() - startMs,
          ...(isFallback && { state: 'warning', remedy: 'fix what is named, or choose an engine with --engine' }),
          ...(!isUsable && { state: 'fault', remedy: 'codex-rx login, or a model provider in config.toml' }),
        };
      }),
    );
  });
