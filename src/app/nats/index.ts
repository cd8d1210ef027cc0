/** The door of NATS on this machine. */
export { natsHere } from './natsHere';
