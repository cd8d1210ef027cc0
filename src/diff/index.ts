export { collapseUnplayed } from './collapseUnplayed';
export { compare, type LaneResult } from './compare';
export { type ComparedSession, isSame, REPORTS, type ReportFormat, toReport, toReports } from './toReport';
