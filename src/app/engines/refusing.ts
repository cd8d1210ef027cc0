/** Owns the engine that can do nothing but say why. */
import { map } from 'rxjs';
import type { Engine } from '../../protocol';
import { ofKind } from '../../streams';

/** Refuses every call. */
export const refusing =
  (message: string): Engine =>
  () =>
  (op$) =>
    op$.pipe(
      ofKind('turn'),
      map(({ callId }) => ({ kind: 'refused' as const, callId, message })),
    );
