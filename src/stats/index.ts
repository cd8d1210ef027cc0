/** The door of counts and durations of recorded sessions. */
export { toStats } from './toStats';
export { toStatsJson, toStatsTable } from './toStatsTable';
