import { assert, describe, it } from "@effect/vitest"
import { nonPublicRange } from "../../src/stores/PublicAddress.ts"

describe("nonPublicRange", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "192.167.255.255",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808"
  ])("%s is public", (address) => {
    assert.isUndefined(nonPublicRange(address))
  })

  it.each([
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["10.0.0.1", "private"],
    ["100.64.0.1", "carrierGradeNat"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "linkLocal"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.170", "reserved"],
    ["192.0.2.1", "reserved"],
    ["192.168.1.1", "private"],
    ["198.18.0.1", "reserved"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::7f00:1", "reserved"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:a9fe:a9fe", "linkLocal"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::a00:1", "private"],
    ["2002:7f00:1::", "6to4"],
    ["2001:0:7f00:1::", "teredo"],
    ["2001:db8::1", "reserved"],
    ["fc00::1", "uniqueLocal"],
    ["fd00:ec2::254", "uniqueLocal"],
    ["fe80::1", "linkLocal"],
    ["fe80::1%eth0", "linkLocal"],
    ["ff02::1", "multicast"],
    ["localhost", "invalid"],
    ["", "invalid"]
  ])("%s is not public but %s", (address, range) => {
    assert.strictEqual(nonPublicRange(address), range)
  })

  it("unassigned IPv6 space is not public", () => {
    for (const address of ["fec0::1", "4000::1", "::808:808", "1::1", "5f00::1", "100::1"]) {
      assert.isDefined(nonPublicRange(address), address)
    }
  })
})
