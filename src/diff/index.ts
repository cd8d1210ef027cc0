/** The door of comparing recorded sessions, and the reports of it. */
export { collapseUnplayed } from './collapseUnplayed';
export { compare, EXIT_LABEL, type LaneResult } from './compare';
export { placesOf, unstablePlaces, withoutPlaces } from './places';
export { type ComparedSession, isSame, REPORTS, toReport, toReports } from './toReport';
