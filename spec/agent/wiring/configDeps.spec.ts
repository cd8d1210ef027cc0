import { configDeps } from '../../../src/agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { wired } from './wiring';

afterEach(removeHomes);

describe('configDeps', () => {
  it.each([
    ['/no/user', '/no/user/.ssh'],
    ['/no/user/', '/no/user/.ssh'],
    ['/no/./user/../user', '/no/user/.ssh'],
    ['/', '/.ssh'],
  ])('names the secret places of the home %s without dots and doubled slashes', (home, place) => {
    const { wiring } = wired({ processInfo: { home } });
    expect(configDeps(wiring).secretPlaces()).toContain(place);
  });

  it('names none outside of the home of Codex for a user without a home', () => {
    const { wiring } = wired({ processInfo: { env: { HOME: '' } } });
    expect(configDeps(wiring).secretPlaces()).toEqual(expect.not.arrayContaining(['/.ssh', '.ssh']));
  });
});
