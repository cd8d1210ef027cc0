/** The memory of this process. */
import { getHeapStatistics } from 'node:v8';
import { bindNodeCallback, catchError, defer, delay, finalize, of } from 'rxjs';
import { lazy } from '../../lazy';
import type { MemoryPorts } from './releaseMemory';

const inspector = lazy(() => require('node:inspector') as typeof import('node:inspector'));

/**
 * Collects as the inspector does when it is asked to: that shrinks the young generation too, which `gc()` leaves as it is. No port is
 * opened. A Node without an inspector keeps its memory. Source: Node 20.19.0, 20.20.2 and 26.10.0; of these, 20.20.2 hangs where the session is
 * closed by the callback itself.
 */
const collect: MemoryPorts['collect'] = () =>
  defer(() => {
    const session = new (inspector().Session)();
    session.connect();
    return bindNodeCallback((done: (error: Error | null) => void) =>
      session.post('HeapProfiler.collectGarbage', done),
    )().pipe(
      delay(0),
      finalize(() => session.disconnect()),
    );
  }).pipe(catchError(() => of(undefined)));

/** What `releaseMemory` needs to know of this process, and can ask of it. */
export const memoryHere: MemoryPorts = {
  heapBytes: () => getHeapStatistics().total_heap_size,
  busyMs: () => performance.eventLoopUtilization().active,
  collect,
};
