use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns whether an address belongs to the public internet.
///
/// Private, shared, loopback, link-local, multicast, reserved and unspecified addresses do not.
/// Neither do addresses for documentation and benchmarks, nor IPv6 forms that contain one of them.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_shared = a == 100 && (64..128).contains(&b); // RFC 6598
    let is_for_protocols = (a, b, c) == (192, 0, 0); // RFC 6890
    let is_for_benchmarks = a == 198 && (b == 18 || b == 19); // RFC 2544
    // RFC 5737: TEST-NET-1, -2 and -3.
    let is_for_documents = matches!((a, b, c), (192, 0, 2) | (198, 51, 100) | (203, 0, 113));
    let is_old_relay = (a, b, c) == (192, 88, 99); // RFC 7526: 6to4 relays
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || a == 0
        || a >= 224
        || is_shared
        || is_for_protocols
        || is_for_benchmarks
        || is_for_documents
        || is_old_relay)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match parts {
        // ::ffff:0:0/96, IPv4-mapped.
        [0, 0, 0, 0, 0, 0xffff, high, low] => is_public_v4(v4(high, low)),
        // 64:ff9b::/96, the well-known prefix of NAT64 (RFC 6052).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)),
        // 2002::/16, 6to4 (RFC 3056).
        [0x2002, high, low, ..] => is_public_v4(v4(high, low)),
        // 2001::/32 Teredo, which obfuscates its IPv4 address, and other protocols of 2001::/23.
        [0x2001, second, ..] if second < 0x200 => false,
        // 2001:db8::/32 (RFC 3849) and 3fff::/20 (RFC 9637), for documentation.
        [0x2001, 0xdb8, ..] => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        // Global unicast, 2000::/3. This excludes loopback, unspecified, unique local, link-local,
        // site-local and multicast addresses, and the local NAT64 prefix (64:ff9b:1::/48).
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::is_public;

    /// Private, reserved, documentation and benchmarking addresses, in each form that contains an
    /// IPv4 address.
    const NOT_PUBLIC: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.168.1.1",
        "192.0.2.0",
        "192.0.2.255",
        "192.88.99.0",
        "192.88.99.255",
        "198.18.0.0",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.0",
        "198.51.100.255",
        "203.0.113.0",
        "203.0.113.255",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:db8::1",
        "2001:db8:ffff:ffff::1",
        "3fff::1",
        "3fff:fff:ffff::1",
        "::ffff:192.0.2.1",
        "64:ff9b::c000:201",
        "2002:cb00:7101::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1",
    ];

    /// Addresses next to those ranges.
    const PUBLIC: &[&str] = &[
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "198.17.0.1",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2001:db7::1",
        "2001:db9::1",
        "2a00::1",
        "3fff:1000::1",
    ];

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        for text in NOT_PUBLIC {
            assert!(!is_public(text.parse().expect(text)), "{text}");
        }
        for text in PUBLIC {
            assert!(is_public(text.parse().expect(text)), "{text}");
        }
    }
}
