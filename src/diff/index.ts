export { collapseUnplayed } from './collapseUnplayed';
export { compare, type LaneResult } from './compare';
export { type ComparedSession, isSame, REPORTS, toReport, toReports } from './toReport';
