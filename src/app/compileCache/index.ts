/** The door of the sample session that fills the compile cache at build time. */
export { runSampleSession } from './runSampleSession';
