export { collapseUnplayed } from './collapseUnplayed';
export { compare, type LaneResult } from './compare';
export { REPORTS, toReport } from './toReport';
