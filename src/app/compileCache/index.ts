export { runSampleSession } from './runSampleSession';
