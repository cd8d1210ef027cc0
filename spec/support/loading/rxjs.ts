/** RxJS as one script, for all its entries that `src` and the specs import: see bundled.js. */
export * from 'rxjs';
export { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
export * from 'rxjs/testing';
