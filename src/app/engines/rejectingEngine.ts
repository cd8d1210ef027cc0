/** Owns the engine that can do nothing but say why. */
import { map } from 'rxjs';
import type { Engine } from '../../protocol/codex';
import { ofKind } from '../../streams';

/** Refuses every call. */
export const rejectingEngine =
  (message: string): Engine =>
  () =>
  (op$) =>
    op$.pipe(
      ofKind('turn'),
      map(({ callId }) => ({ kind: 'rejected' as const, callId, message })),
    );
