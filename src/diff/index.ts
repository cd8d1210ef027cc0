export { collapseUnplayed } from './collapseUnplayed';
export { compare, type LaneResult } from './compare';
export { REPORTS, type ReportFormat, toReport } from './toReport';
