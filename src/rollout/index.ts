export { rolloutSteps } from './rolloutSteps';
