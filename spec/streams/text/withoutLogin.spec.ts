import { withoutLogin } from '../../../src/streams/text/withoutLogin';

it.each([
  ['nats://u:pw@h:1/tape', 'nats://h:1/tape'],
  ['tls://token@h', 'tls://h'],
  ['nats://a:1@b@h,c:d@i/x@y', 'nats://i/x@y'],
  ['nats://h/x@y', 'nats://h/x@y'],
  ['/a/b@c', '/a/b@c'],
])('withoutLogin of %s is %s', (address, shown) => {
  expect(withoutLogin(address)).toBe(shown);
});
