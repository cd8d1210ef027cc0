import { configDeps } from '../../../src/app/wiring/wiring';
import { removeHomes } from '../../support/home';
import { wired } from './wiring';

afterEach(removeHomes);

describe('configDeps', () => {
  it.each([
    ['/no/user', '/no/user/.ssh'],
    ['/no/user/', '/no/user/.ssh'],
    ['/no/./user/../user', '/no/user/.ssh'],
    ['/', '/.ssh'],
    ['', '/.ssh'],
  ])('names the secret places of the home %s without dots and doubled slashes', (HOME, place) => {
    const { wiring } = wired({ processInfo: { env: { HOME } } });
    expect(configDeps(wiring).secretPlaces()).toContain(place);
  });
});
