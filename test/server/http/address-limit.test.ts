import { expect, it } from 'vitest'
import { AddressLimit, networkOf } from '../../../src/server/http/address-limit.ts'

it.each`
  address                   | network                | why
  ${'192.0.2.1'}            | ${'192.0.2.1'}         | ${'an IPv4 client is its address'}
  ${'::ffff:192.0.2.1'}     | ${'192.0.2.1'}         | ${'a socket for both families maps IPv4'}
  ${'2001:db8:1:2:3:4:5:6'} | ${'2001:db8:1:2::/64'} | ${'the rest is chosen by the client'}
  ${'2001:DB8:1:02::9'}     | ${'2001:db8:1:2::/64'} | ${'one network has many spellings'}
  ${'2001:db8::1'}          | ${'2001:db8:0:0::/64'} | ${'zeros are filled in'}
  ${'::1'}                  | ${'0:0:0:0::/64'}      | ${'zeros come first'}
  ${'1::2:3:4:5:6:7'}       | ${'1:0:2:3::/64'}      | ${'groups after the zeros can be of the network'}
  ${'fe80::1%eth0'}         | ${'fe80:0:0:0::/64'}   | ${'a zone is no part of the network'}
  ${'64:ff9b::192.0.2.1'}   | ${'64:ff9b:0:0::/64'}  | ${'IPv4 at the end takes two groups'}
  ${undefined}              | ${''}                  | ${'a closed connection has no address'}
`('$why: $address', ({ address, network }: { address?: string; network: string }) => {
  expect(networkOf(address)).toBe(network)
})

it('allows so many events of an address in a window, and says how long to wait', () => {
  const limit = new AddressLimit({ limit: 2, windowMs: 60_000 })
  expect([0, 10, 20, 20].map((time) => limit.take('192.0.2.1', time))).toEqual([0, 0, 59_980, 59_980])
  expect(limit.take('192.0.2.2', 20)).toBe(0)
  expect(limit.waitMs('192.0.2.1', 59_999)).toBe(1)
  expect([60_000, 60_000, 60_000].map((time) => limit.take('192.0.2.1', time))).toEqual([0, 0, 60_000])
  limit.clear()
  expect(limit.waitMs('192.0.2.1', 60_000)).toBe(0)
})

it('gives an IPv6 client no second budget for another address of its network', () => {
  const limit = new AddressLimit({ limit: 1, windowMs: 1_000 })
  expect(limit.take('2001:db8::1', 0)).toBe(0)
  expect(limit.take('2001:db8::2', 0)).toBe(1_000)
  expect(limit.take('2001:db8:0:1::1', 0)).toBe(0)
})

it('lets many addresses neither displace a full one nor take memory', () => {
  const limit = new AddressLimit({ limit: 1, windowMs: 1_000, maxAddresses: 3 })
  const others = Array.from({ length: 1_000 }, (_, index) => `198.51.${index >> 8}.${index & 255}`)
  expect(limit.take('192.0.2.1', 0)).toBe(0)
  const allowed = others.filter((address) => limit.take(address, 1) === 0)
  // Two of their own, and one shared by all others.
  expect(allowed).toHaveLength(3)
  expect(limit.take('192.0.2.1', 1)).toBe(999)
  expect(others.slice(5, 9).map((address) => limit.take(address, 1_001))).toEqual([0, 0, 0, 0])
})
