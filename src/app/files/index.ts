export { filesHere } from './filesHere';
